#include "lab/report/figure.h"
#include "lab/report/report.h"

/* gnuplot draws axes and text in black and the grid in gray: here black is the text's colour. */
static const char style[] =
	":root{color-scheme:light dark;--ink:#1b1b1b;--dim:#5c5c5c;--paper:#fff;--line:#d4d4d4;"
	"--good:#cfe5f3;--bad:#f9dcc9}\n"
	"@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--dim:#a3a3a3;--paper:#15171a;"
	"--line:#3c4046;--good:#12415e;--bad:#63310f}}\n"
	"body{margin:0;background:var(--paper);color:var(--ink);"
	"font:16px/1.5 Charter,'Bitstream Charter','Liberation Serif',Georgia,serif}\n"
	"main{max-width:60rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}\n"
	"h1{font-size:1.9rem;line-height:1.2;margin:0 0 .3rem}\n"
	"h2{font-size:1.25rem;margin:2.6rem 0 .6rem;border-bottom:1px solid var(--line)}\n"
	"h1.graph{margin-top:4rem;border-top:3px solid var(--ink);padding-top:1rem}\n"
	"p{max-width:44rem}\n"
	".dim,figcaption,caption{color:var(--dim)}\n"
	"figure{margin:1.4rem 0 2rem}\nfigure .scroll{margin:0}\n"
	"figure svg{display:block;width:100%;min-width:38rem;height:auto}\n"
	"figcaption,caption{font-size:.9rem;text-align:left;max-width:min(44rem,100vw - 2.5rem)}\n"
	"caption{padding-bottom:.5rem;position:sticky;left:0}\n"
	"svg [fill='black']{fill:currentColor}\n"
	"svg [color='black'],svg [color='rgb(  0,   0,   0)'],svg "
	"[color='rgb(0,0,0)']{color:inherit}\n"
	"svg [stroke='black'],svg [stroke='rgb(  0,   0,   0)'],svg [stroke='rgb(0,0,0)']"
	"{stroke:currentColor}\n"
	"svg .gridline{stroke:var(--line)}\n"
	".scroll{overflow-x:auto;margin:1.4rem 0 2rem}\n"
	".scroll:focus-visible{outline:2px solid var(--dim);outline-offset:2px}\n"
	"table{border-collapse:collapse;font:.86rem/1.35 system-ui,'Liberation "
	"Sans',Arial,sans-serif;"
	"font-variant-numeric:tabular-nums;border-bottom:2px solid var(--ink)}\n"
	"thead{border-top:2px solid var(--ink);border-bottom:1px solid var(--ink)}\n"
	"th,td{padding:.22rem .6rem;text-align:right;font-weight:400;white-space:nowrap}\n"
	"thead th{font-weight:600}\nth:first-child{text-align:left}\n"
	"tr>th:first-child{position:sticky;left:0;background:var(--paper)}\n"
	"td.best{font-weight:700}\ntd small{color:var(--dim);font-weight:400}\n"
	"td.text{text-align:left;white-space:normal;min-width:14rem}\n"
	"td.good{background:var(--good)}\ntd.bad{background:var(--bad)}\n"
	".wide th,.wide td{padding:.2rem .4rem;font-size:.78rem}\n"
	".wide thead th{white-space:normal;vertical-align:bottom}\n"
	".matrix th,.matrix td{padding:.2rem .3rem;font-size:.74rem}\n"
	".matrix thead th+th{writing-mode:vertical-rl;transform:rotate(180deg);text-align:left;"
	"padding:.4rem .2rem}\n"
	".key{display:inline-block;width:.7em;height:.7em;border-radius:50%;margin-right:.5em}\n"
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1.2rem;font-size:.92rem}\n"
	"dt{color:var(--dim)}\ndd{margin:0;overflow-wrap:anywhere}\n"
	"code{font:.88em ui-monospace,'Liberation Mono',monospace}\n"
	"ol.standing{padding-left:2rem;max-width:44rem}\n"
	"@media print{main{max-width:none;padding:0}figure svg{min-width:0}.scroll{overflow:visible}figure,table{break-inside:avoid}}\n";

void report_begin_page(struct buf *html, const char *title)
{
	buf_text(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		       "<meta name=\"viewport\" content=\"width=device-width, "
		       "initial-scale=1\">\n<title>");
	figure_escape(html, title);
	buf_format(html, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>", style);
	figure_escape(html, title);
	buf_text(html, "</h1>\n");
}

void report_begin_scroll(struct buf *html, const char *what, int number)
{
	buf_format(html,
		"<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s %d\">", what,
		number);
}

void report_figure(struct buf *html, int number, const char *drawing, const char *caption)
{
	buf_text(html, "<figure>\n");
	report_begin_scroll(html, "Figure", number);
	buf_format(html, "\n%s</div>\n<figcaption><b>Figure %d.</b> %s</figcaption>\n</figure>\n",
		drawing ? drawing : "<p>There is nothing to draw.</p>\n", number, caption);
}
