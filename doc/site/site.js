/* The search: the index is loaded when the field is first used; a page of which all words are found counts by where they stand. */
'use strict';
const up = document.currentScript.dataset.up;
const field = document.getElementById('search');
const found = document.getElementById('found');
const menu = document.querySelector('.menu');
const MOST = 30; // answers that are shown
let loading = false;

if (matchMedia('(max-width: 46rem)').matches)
	menu.open = false;

function load() {
	if (loading)
		return;
	loading = true;
	const script = document.createElement('script');
	script.src = up + 'search.js';
	script.onload = answer;
	document.head.append(script);
}

// how well a row answers: the heading counts most, then the page's title, then the text; 0 unless each word is somewhere
function worth(row, words) {
	const [, title, head, , text] = row;
	let sum = 0;
	for (const word of words) {
		const at = [[head, 8], [title, 4], [text, 1]].filter(([where]) => where.toLowerCase().includes(word));
		if (!at.length)
			return 0;
		sum += at.reduce((all, [where, weight]) => all + weight * (where.toLowerCase() === word ? 2 : 1), 0);
	}
	return sum;
}

// the element with its text around the first word, and the words marked
function excerpt(text, words) {
	const p = document.createElement('p');
	const first = Math.max(0, Math.min(...words.map(w => text.toLowerCase().indexOf(w)).filter(i => i >= 0), text.length) - 60);
	const shown = (first ? '... ' : '') + text.slice(first, first + 220);
	let rest = shown;
	while (rest) {
		const hits = words.map(w => [rest.toLowerCase().indexOf(w), w.length]).filter(([i]) => i >= 0).sort((a, b) => a[0] - b[0]);
		if (!hits.length) {
			p.append(rest);
			break;
		}
		const [at, length] = hits[0];
		const mark = document.createElement('mark');
		mark.textContent = rest.slice(at, at + length);
		p.append(rest.slice(0, at), mark);
		rest = rest.slice(at + length);
	}
	return p;
}

function answer() {
	const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
	found.hidden = !words.length || !window.lycosa_pages;
	if (found.hidden)
		return;
	const rows = window.lycosa_pages.map(row => [worth(row, words), row]).filter(([w]) => w > 0).sort((a, b) => b[0] - a[0]);
	found.replaceChildren(...rows.slice(0, MOST).map(([, [path, title, head, id, text]]) => {
		const line = document.createElement('li');
		const a = document.createElement('a');
		a.href = up + path + (id ? '#' + id : '');
		a.textContent = head && head !== title ? title + ': ' + head : title;
		a.addEventListener('click', () => { found.hidden = true; });
		line.append(a, excerpt(text, words));
		return line;
	}));
	if (!rows.length) {
		const line = document.createElement('li');
		line.textContent = 'No page has all of these words.';
		found.append(line);
	}
}

field.addEventListener('focus', load);
field.addEventListener('input', () => { load(); answer(); });
document.addEventListener('keydown', event => {
	if (event.key === '/' && document.activeElement !== field) {
		event.preventDefault();
		field.focus();
	} else if (event.key === 'Escape') {
		found.hidden = true;
		field.blur();
	} else if (event.key === 'Enter' && document.activeElement === field) {
		found.querySelector('a')?.click();
	}
});

// index.html?q=words is a search that can be linked to
const asked = new URLSearchParams(location.search).get('q');
if (asked) {
	field.value = asked;
	load();
}
