/* How the figures were made, and what each of them means. */
#include "base/language.h"
#include "base/size.h"
#include "report/chapters.h"
#include "report/html.h"

void chapter_method(struct page *page, const struct report *report)
{
    static const enum text paragraphs[][2] = {
        {TEXT_METHOD_VERIFY_HEAD, TEXT_METHOD_VERIFY}, {TEXT_METHOD_TIME_HEAD, TEXT_METHOD_TIME},
        {TEXT_METHOD_RATE_HEAD, TEXT_METHOD_RATE},     {TEXT_METHOD_LIMIT_HEAD, TEXT_METHOD_LIMIT},
        {TEXT_METHOD_CACHE_HEAD, TEXT_METHOD_CACHE},   {TEXT_METHOD_ROUNDS_HEAD, TEXT_METHOD_ROUNDS},
        {TEXT_METHOD_CORES_HEAD, TEXT_METHOD_CORES},   {TEXT_METHOD_RATIO_HEAD, TEXT_METHOD_RATIO},
        {TEXT_METHOD_CHOICE_HEAD, TEXT_METHOD_CHOICE},
    };
    (void)report;
    fputs("<section>\n", page->stream);
    page_heading(page, 2, "method", say(TEXT_REPORT_METHOD));
    fputs("<dl class=\"method\">\n", page->stream);
    for (size_t i = 0; i < COUNT_OF(paragraphs); i++)
        html(page->stream, "<dt>%s</dt><dd>%s</dd>\n", say(paragraphs[i][0]), say(paragraphs[i][1]));
    fputs("</dl>\n</section>\n", page->stream);
}
