/* The report's colours, for light and dark pages, and chart.css with them filled in for a drawing of its own. */
#pragma once

#include <stdio.h>

/* The variables --paper, --ink, … for a page, light, dark, and as the reader switches (data-theme). */
void palette_write_page(FILE *stream);

/* <style> of a stand-alone drawing: chart.css with the light colours in place of the variables. */
void palette_write_standalone(FILE *stream);

/* The number of colours that distinguish series: classes series-0 … */
#define PALETTE_SERIES 8
