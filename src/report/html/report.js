'use strict';
(function () {
  var root = document.documentElement, tip = document.getElementById('tip'), shown = null;

  // A mark's figures stand in its <title>, so that they are there without this script; here they follow the pointer.
  function words(mark) {
    if (!mark.dataset.tip) {
      var title = mark.querySelector('title');
      mark.dataset.tip = title ? title.textContent : mark.getAttribute('title') || '';
      if (title) title.remove();
    }
    return mark.dataset.tip;
  }
  function place(x, y) {
    var box = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - box.width - 4)) + 'px';
    tip.style.top = (y + 18 + box.height > innerHeight ? Math.max(4, y - box.height - 12) : y + 18) + 'px';
  }
  function show(text, x, y) {
    tip.textContent = text;
    tip.hidden = false;
    place(x, y);
  }
  function hide() {
    shown = null;
    tip.hidden = true;
  }
  document.addEventListener('pointermove', function (event) {
    var mark = event.target.closest && event.target.closest('.mark');
    if (!mark) {
      if (shown) hide();
      return;
    }
    if (mark !== shown) {
      shown = mark;
      show(words(mark) + (mark.dataset.copy ? '\n' + tip.dataset.hint : ''), event.clientX, event.clientY);
    } else {
      place(event.clientX, event.clientY);
    }
  });

  function copyOld(text) {
    var area = document.createElement('textarea');
    area.value = text;
    document.body.appendChild(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  function copy(text) {
    if (navigator.clipboard && window.isSecureContext)
      navigator.clipboard.writeText(text).catch(function () { copyOld(text); });
    else
      copyOld(text);
  }
  document.addEventListener('click', function (event) {
    var from = event.target.closest && event.target.closest('[data-copy]');
    if (!from) return;
    copy(from.dataset.copy);
    shown = from.closest('.mark');
    show(tip.dataset.copied + '\n' + from.dataset.copy, event.clientX, event.clientY);
    if (!shown) setTimeout(hide, 1800);
  });

  // Light and dark: the system's until the reader chooses.
  var theme = document.getElementById('theme'), system = matchMedia('(prefers-color-scheme: dark)');
  function isDark() {
    return root.dataset.theme ? root.dataset.theme === 'dark' : system.matches;
  }
  function nameTheme() {
    theme.textContent = isDark() ? theme.dataset.light : theme.dataset.dark;
  }
  theme.addEventListener('click', function () {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    nameTheme();
  });
  system.addEventListener('change', nameTheme);
  nameTheme();

  // One device, or all of them.
  var choices = document.querySelectorAll('[data-show]');
  choices.forEach(function (button) {
    button.addEventListener('click', function () {
      var device = button.dataset.show;
      document.body.classList.toggle('one-device', device !== '');
      choices.forEach(function (other) { other.setAttribute('aria-pressed', other === button); });
      document.querySelectorAll('[data-device]').forEach(function (part) {
        part.classList.toggle('hidden', device !== '' && part.dataset.device !== device);
      });
    });
  });

  // One machine at a time, the first one first.
  var machines = document.querySelectorAll('[data-machine]'), parts = document.querySelectorAll('[data-of]');
  function chooseMachine(number) {
    parts.forEach(function (part) { part.classList.toggle('hidden', part.dataset.of !== number); });
    machines.forEach(function (button) { button.setAttribute('aria-pressed', button.dataset.machine === number); });
  }
  machines.forEach(function (button) {
    button.addEventListener('click', function () { chooseMachine(button.dataset.machine); });
  });
  if (parts.length) chooseMachine(parts[0].dataset.of);

  // A heading sorts its table by numbers with their units, or by words; again: the other way round.
  var powers = {n: -9, 'µ': -6, m: -3, k: 3, M: 6, G: 9, T: 12, 'н': -9, 'м': -3, 'мк': -6, 'к': 3, 'М': 6, 'Г': 9, 'Т': 12};
  function valueOf(cell) {
    if (!cell) return -Infinity;
    if (cell.dataset.value) return +cell.dataset.value;
    var parts = /^[^\d—]{0,2}([\d\s\u00a0\u202f]*[.,]?\d+)[\s\u00a0]?(мк|[nµmkMGTнмкМГТ](?=[a-zа-яA-ZА-Я]))?/.exec(cell.textContent.trim());
    return parts ? parts[1].replace(/[\s\u00a0\u202f]/g, '').replace(',', '.') * Math.pow(10, powers[parts[2]] || 0) : -Infinity;
  }
  document.querySelectorAll('table').forEach(function (table) {
    var heads = table.tHead ? [].slice.call(table.tHead.rows[0].cells) : [];
    heads.forEach(function (head, column) {
      if (!head.textContent || table.querySelector('tbody [colspan]')) return;
      head.setAttribute('aria-sort', 'none');
      head.addEventListener('click', function () {
        var up = head.getAttribute('aria-sort') === 'descending', body = table.tBodies[0];
        var numbers = head.classList.contains('n') || body.querySelector('td:nth-child(' + (column + 1) + ') .share');
        heads.forEach(function (other) { if (other.hasAttribute('aria-sort')) other.setAttribute('aria-sort', 'none'); });
        head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
        table.classList.add('sorted');
        [].slice.call(body.rows).sort(function (a, b) {
          var x = a.cells[column], y = b.cells[column];
          var order = numbers ? valueOf(x && x.querySelector('.share') || x) - valueOf(y && y.querySelector('.share') || y)
                              : y.textContent.localeCompare(x.textContent);
          return (up ? order : -order) || 0;
        }).forEach(function (row) { body.appendChild(row); });
      });
    });
  });

  // Rows that have every word of the filter.
  document.getElementById('filter').addEventListener('input', function () {
    var words = this.value.toLowerCase().split(/\s+/);
    document.querySelectorAll('tbody tr, .answers li').forEach(function (row) {
      var text = row.textContent.toLowerCase();
      row.classList.toggle('filtered', !words.every(function (word) { return text.indexOf(word) >= 0; }));
    });
  });

  // A link to what is folded away opens it.
  function unfold() {
    var aim = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (var fold = aim && aim.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    var part = aim && aim.closest('[data-of]');
    if (part) chooseMachine(part.dataset.of);
    if (aim) aim.scrollIntoView();
  }
  addEventListener('hashchange', unfold);
  unfold();

  // On paper every table is open.
  var opened = [];
  addEventListener('beforeprint', function () {
    document.querySelectorAll('details:not([open])').forEach(function (fold) {
      fold.open = true;
      opened.push(fold);
    });
  });
  addEventListener('afterprint', function () {
    opened.splice(0).forEach(function (fold) { fold.open = false; });
  });
})();
