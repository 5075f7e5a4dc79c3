// Put at a report's end by browser.sh: looks at the page as it was drawn, and tells what is wrong with it.
addEventListener('load', function () {
  'use strict';
  var wrong = [], charts = 0, marks = 0;
  function complain(name, words) { if (wrong.length < 40) wrong.push(name + ': ' + words); }

  function overlap(a, b) {
    return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
           Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  }
  function lookAt(figure) {
    var name = figure.dataset.chart;
    var shown = [].filter.call(figure.querySelectorAll('svg.chart'), function (svg) {
      return svg.getBoundingClientRect().width > 0;
    });
    if (shown.length !== 1) return complain(name, shown.length + ' drawings are shown, not one');
    var frame = shown[0].getBoundingClientRect(), drawn = shown[0].querySelectorAll('.mark');
    charts++;
    marks += drawn.length;
    if (!drawn.length) complain(name, 'no marks');
    drawn.forEach(function (mark) {
      var box = mark.getBoundingClientRect();
      if (!(box.width + box.height > 0)) complain(name, 'a mark that cannot be seen');
      if (!mark.querySelector('title') || !mark.querySelector('title').textContent) complain(name, 'a mark without figures');
    });
    // In panels no figure lies on the ceiling's mark.
    if (/panels$/.test(name))
      shown[0].querySelectorAll('line.ceiling').forEach(function (line) {
        var mark = line.getBoundingClientRect();
        shown[0].querySelectorAll('text.value').forEach(function (text) {
          var box = text.getBoundingClientRect();
          if (box.left < mark.left && box.right > mark.right && box.top < mark.bottom && box.bottom > mark.top)
            complain(name, 'on the mark: ' + text.textContent);
        });
      });
    var texts = [].slice.call(shown[0].querySelectorAll('text'));
    var boxes = texts.map(function (text) { return text.getBoundingClientRect(); });
    texts.forEach(function (text, i) {
      if (boxes[i].left < frame.left - 1.5 || boxes[i].right > frame.right + 1.5 || boxes[i].bottom > frame.bottom + 1.5)
        complain(name, 'cut: ' + text.textContent);
      for (var j = 0; j < i; j++)
        if (!text.getAttribute('transform') && !texts[j].getAttribute('transform') && overlap(boxes[i], boxes[j]))
          complain(name, 'one on the other: ' + text.textContent + ' | ' + texts[j].textContent);
      if (boxes[i].height * frame.width && parseFloat(getComputedStyle(text).fontSize) * frame.width /
          shown[0].viewBox.baseVal.width < 10)
        complain(name, 'too small to read: ' + text.textContent);
    });
  }
  // Of several machines one is shown at a time.
  var machines = document.querySelectorAll('[data-machine]');
  function here() {
    return [].filter.call(document.querySelectorAll('figure[data-chart]'), function (figure) {
      return !figure.closest('[data-of].hidden');
    });
  }
  if (!machines.length) here().forEach(lookAt);
  [].slice.call(machines).reverse().forEach(function (button) {
    button.click();
    var shown = document.querySelectorAll('[data-of]:not(.hidden)');
    if (shown.length !== 1 || shown[0].dataset.of !== button.dataset.machine) complain('machines', 'not as chosen');
    here().forEach(lookAt);
  });
  if (machines.length && document.querySelectorAll('.machines .lead').length < 2) complain('machines', 'no comparison');
  if (document.documentElement.scrollWidth > innerWidth + 1)
    complain('page', 'wider (' + document.documentElement.scrollWidth + ') than its window (' + innerWidth + ')');

  // The pointer shows a mark's figures, a click tells what was copied, a device's button hides the others.
  var tip = document.getElementById('tip'), mark = document.querySelector('.mark[data-copy]');
  mark.dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientX: 20, clientY: 20}));
  if (tip.hidden || tip.textContent.length < 10) complain('tip', 'is not shown');
  mark.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: 20, clientY: 20}));
  if (tip.textContent.indexOf(mark.dataset.copy) < 0) complain('tip', 'does not name what was copied');
  var button = document.querySelectorAll('[data-show]')[1];
  if (button) {
    button.click();
    here().forEach(function (figure) {
      if (!figure.dataset.device) return;
      var hidden = figure.getBoundingClientRect().height === 0;
      if (hidden !== (figure.dataset.device !== button.dataset.show)) complain(figure.dataset.chart, 'not as chosen');
    });
  }
  var room = document.querySelector('.glance').closest('.scroll');
  if (room.scrollWidth > room.clientWidth + 1) complain('glance', 'cut at ' + room.clientWidth + ' of ' + room.scrollWidth);
  // A heading sorts its table; the filter leaves the rows that have its words.
  var glance = document.querySelector('.glance');
  var rates = glance.querySelector('thead th.n'), rows = [].slice.call(glance.querySelectorAll('tbody tr'));
  function values() {
    return [].map.call(glance.querySelectorAll('td.big'), function (cell) { return +cell.dataset.value; });
  }
  rates.click();
  if (values().some(function (value, i, all) { return i && value > all[i - 1]; })) complain('glance', 'not sorted: ' + values());
  rates.click();
  if (values().some(function (value, i, all) { return i && value < all[i - 1]; })) complain('glance', 'not sorted upwards');
  var filter = document.getElementById('filter'), word = rows[0].querySelector('code').textContent;
  filter.value = word;
  filter.dispatchEvent(new Event('input'));
  rows.forEach(function (row) {
    if ((row.textContent.indexOf(word) >= 0) === row.classList.contains('filtered')) complain('filter', row.textContent);
  });
  if (!document.querySelector('.histogram rect')) complain('histograms', 'none');
  var link = document.querySelector('a[href^="#source/"]'), source = link && document.getElementById(link.hash.slice(1));
  if (link && (!source || source.tagName !== 'PRE' || source.textContent.length < 100)) complain('sources', 'a rung has none');
  if (!document.querySelector('.answers li')) complain('answers', 'none');

  var before = getComputedStyle(document.body).backgroundColor;
  document.getElementById('theme').click();
  if (getComputedStyle(document.body).backgroundColor === before) complain('theme', 'does not change');

  parent.postMessage('PROBED charts=' + charts + ' marks=' + marks + ' errors=' + window.probeErrors.length + '\n' +
                     window.probeErrors.concat(wrong).map(function (line) { return 'WRONG ' + line; }).join('\n'), '*');
});
