/* The monitor. All it knows comes from /api (doc/control.md). Texts of the network are set as text, never as markup. */
'use strict';

const $ = id => document.getElementById(id);
let token = '', last = null, sort = 'queued', stopAsked = 0, cameFrom = '';

/* --- elements */

/* An element with attributes and children; a text child is text. */
function make(name, attributes, ...children) {
	const e = document.createElement(name);
	for (const key in attributes)
		if (key === 'onclick') e.addEventListener('click', attributes[key]);
		else e.setAttribute(key, attributes[key]);
	e.append(...children.map(c => c instanceof Node ? c : String(c)));
	return e;
}

function svg(name, attributes) {
	const e = document.createElementNS('http://www.w3.org/2000/svg', name);
	for (const key in attributes) e.setAttribute(key, attributes[key]);
	return e;
}

/* What has the focus has the same data-key in the new elements as in those that it replaces. */
const keyed = (nodes, of) => nodes.map(n => [n, ...n.querySelectorAll('[data-key]')]).flat().find(e => e.dataset.key === of);

/* Replaces the children. The focus stays where it is: if it is among them, and on nothing that the new ones have, too, the old ones stay.
 * They also stay while one of them is pressed, since a button that is replaced before it is released is not clicked. */
function fill(parent, children) {
	const focus = document.activeElement;
	if (parent.querySelector(':active')) return;
	if (!parent.contains(focus) || focus === parent) return parent.replaceChildren(...children);
	const again = focus.dataset.key && keyed(children, focus.dataset.key);
	if (!again) return;
	parent.replaceChildren(...children);
	again.focus({preventScroll: true});
}

/* --- figures */

function count(n) {
	return Math.round(n).toLocaleString('en').replace(/,/g, '\u202f');
}

function short(n) {
	const units = ['', 'k', 'M', 'G', 'T'];
	let i = 0;
	for (; Math.abs(n) >= (i ? 999.5 : 9999.5) && i < 4; i++) n /= 1000;
	return (i || n >= 100 || n === Math.round(n) ? n.toFixed(i && n < 100 ? 1 : 0) : n.toPrecision(3)) + units[i];
}

function bytes(n) {
	const units = ['B', 'KB', 'MB', 'GB', 'TB'];
	let i = 0;
	for (; n >= 1000 && i < 4; i++) n /= 1000;
	return (i && n < 100 ? n.toFixed(1) : n.toFixed(0)) + ' ' + units[i];
}

function time(ms) {
	if (ms > 0 && ms < 1000) return Math.round(ms) + ' ms';
	const s = Math.round(ms / 1000), m = Math.floor(s / 60), h = Math.floor(m / 60);
	return h ? h + ' h ' + m % 60 + ' min' : m ? m + ' min ' + s % 60 + ' s' : s + ' s';
}

function key(n) {
	return n === null || n === undefined ? '' : Math.abs(n) >= 1e9 ? n.toExponential(2) : Number(n.toPrecision(6)).toString();
}

/* The range of a column without the values that are a thousand times the usual size, such as the keys by which a policy puts seeds first. */
function usual(column) {
	const known = column.filter(v => v !== null), sizes = known.map(Math.abs).sort((a, b) => a - b);
	const most = 1000 * sizes[(sizes.length - 1) >> 1], near = known.filter(v => !most || Math.abs(v) <= most);
	const bottom = Math.min(...near), top = Math.max(...near);
	return bottom < top ? [bottom, top] : [Math.min(bottom, 0), Math.max(top, 0)];
}

/* --- the interface */

async function call(verb, args, command) {
	const headers = token ? {Authorization: 'Bearer ' + token} : {};
	const options = {headers, cache: 'no-store'};
	let address = 'api/' + verb;
	if (command) {
		options.method = 'POST';
		headers['Content-Type'] = 'application/json';
		options.body = JSON.stringify(args);
	} else if (args) {
		address += '?' + new URLSearchParams(args);
	}
	const response = await fetch(address, options);
	const answer = await response.json();
	if (response.status === 401) {
		$('login').hidden = false;
		throw new Error(token ? 'this is not the token of the crawl' :
			'this page needs the token of the crawl, which is in the address that the crawl has printed, and in the second line of the file monitor in its store');
	}
	if (!response.ok) throw new Error(answer.error || 'status ' + response.status);
	return answer;
}

function say(text) {
	$('problem').textContent = text;
	$('problem').hidden = !text;
}

/* Sends a command, says what came of it, and looks again. */
async function command(verb, args, done) {
	try {
		const answer = await call(verb, args, true);
		say('');
		$('done').textContent = done ? done(answer) : '';
		await look();
		await lookAtHosts();
	} catch (e) {
		say(verb + ': ' + e.message);
	}
}

/* --- the whole crawl */

function tile(name, figure, more) {
	return make('div', {}, make('dt', {}, name), make('dd', {}, figure), make('dd', {}, more || '\u00a0'));
}

/* The estimate of the hot pages that the crawl has. */
function hotTile(hot) {
	const percent = x => x > 0 && x < 0.01 ? '<1' : Math.round(100 * x);
	return hot.share === null ? tile('Hot pages', 'unknown', 'nothing is crawled yet') :
		tile('Hot pages', (hot.share < 1 && hot.share >= 0.01 ? 'about ' : '') + percent(hot.share) + '%', hot.share < 1 ?
			'estimate' + (hot.high < 0.01 ? '' : ', likely ' + percent(hot.low) + ' to ' + percent(hot.high) + '%') : 'all that links lead to');
}

function showTiles(s) {
	const p = s.pages, h = s.hosts, m = s.machine;
	const sitting = s.stage === 'stored' ? [] : [
		tile('Pages a second', short(s.sitting.pages_a_second), 'sitting: ' + count(s.sitting.crawled) + ' in ' + time(s.sitting.ms)),
		tile('Received', bytes(s.sitting.bytes), bytes(s.sitting.bytes_a_second) + '/s')];
	fill($('tiles'), [
		tile('Crawled', count(p.crawled), 'of ' + count(p.seen) + ' discovered (' + (p.seen ? (100 * p.crawled / p.seen).toFixed(1) : 0) + '%)'),
		hotTile(s.hot),
		...sitting,
		tile('Queued', count(p.queued), count(p.deferred) + ' deferred, ' + p.in_flight + ' in flight'),
		tile('Failed', count(p.failed), count(p.refused) + ' refused, ' + count(p.redirected) + ' redirected'),
		tile('Hosts', count(h.known), count(h.ready) + ' ready, ' + count(h.waiting) + ' wait'),
		tile('Hosts out of reach', count(h.silent + h.given_up), h.silent + ' silent, ' + h.given_up + ' given up, ' + h.held + ' held'),
		tile('Memory', bytes(m.resident_bytes), 'CPU ' + time(m.cpu_seconds * 1000)),
		tile('Store', bytes(m.store_bytes || 0), bytes(m.disk_free_bytes || 0) + ' free on its disk; read again: ' +
			count(m.scrub_rounds || 0) + ' times, and ' + count(m.scrubbed_chunks || 0) + ' of ' + count(m.store_chunks || 0) + ' chunks')]);
}

function showLimit(s) {
	const shares = [];
	if (s.sitting.max_pages) shares.push([s.pages.crawled / s.sitting.max_pages, count(s.sitting.max_pages) + ' pages']);
	if (s.sitting.max_ms) shares.push([s.sitting.ms / s.sitting.max_ms, time(s.sitting.max_ms)]);
	if (s.sitting.max_bytes) shares.push([s.sitting.bytes / s.sitting.max_bytes, bytes(s.sitting.max_bytes)]);
	shares.sort((a, b) => b[0] - a[0]);
	$('limit').hidden = !shares.length || s.stage === 'stored';
	if (!shares.length) return;
	$('share').value = Math.min(1, shares[0][0]);
	$('share-text').textContent = (100 * Math.min(1, shares[0][0])).toFixed(1) + '% of ' + shares[0][1];
}

function showStage(s) {
	const words = {running: 'running', paused: 'paused', stopping: 'stopping', stored: 'stored, read only'};
	if ($('stage').textContent !== words[s.stage]) $('stage').textContent = words[s.stage];
	$('stage').className = s.stage;
	$('steer').hidden = $('change').hidden = s.stage === 'stored';
	$('pause').textContent = s.stage === 'paused' ? 'Resume' : 'Pause';
	$('pause').disabled = $('stop').disabled = s.stage === 'stopping';
	$('store').textContent = s.store;
	document.title = s.store + ' \u2013 lycosa';
	$('policy').textContent = s.policy.name + (s.policy.options ? ' (' + s.policy.options + ')' : '') + ': ' + s.policy.summary +
		'; delay ' + (s.delay_ms >= 1000 ? s.delay_ms / 1000 + ' s' : s.delay_ms + ' ms') + (s.blocked ? '; blocked: ' + s.blocked : '');
	$('version').textContent = 'lycosa ' + s.version;
	$('machine').textContent = 'process ' + s.machine.pid;
}

function bar(name, parts, most, figure, title) {
	const stack = make('div', {class: 'stack'});
	for (const [kind, n] of parts)
		if (n) {
			const part = make('i', {class: kind});
			part.style.width = 100 * n / most + '%';
			stack.append(part);
		}
	return make('tr', {title: title || ''}, make('th', {scope: 'row'}, name), make('td', {class: 'n'}, figure), make('td', {class: 'track'}, stack));
}

function showAnswers(s) {
	const kinds = {crawled: 'crawled', failed: 'failed', refused: 'refused', redirected: 'refused', queued: 'queued'};
	const rows = s.statuses.map(a => [String(a.status), a.status < 300 ? 'crawled' : a.status < 400 ? 'refused' : 'failed', a.count, 'HTTP status']);
	for (const o of s.outcomes)
		if (!['crawled', 'status', 'redirected', 'address', 'robots-wait'].includes(o.outcome)) rows.push([o.outcome, kinds[o.state] || 'queued', o.count, o.because]);
	rows.sort((a, b) => b[2] - a[2]);
	const most = Math.max(1, ...rows.map(r => r[2]));
	fill($('answers'), rows.map(r => bar(r[0], [[r[1], r[2]]], most, count(r[2]), r[3])));
	const whole = s.stage === 'stored' ? 'Of the whole crawl' : 'Of this sitting';
	$('answers-of').textContent = rows.length ? whole + ': HTTP statuses, and why pages did not come or wait.' :
		'No request was made in this sitting.';
}

function showDepths(s) {
	const all = s.depths.map(d => d.queued + d.crawled + d.failed + d.refused + d.redirected);
	const most = Math.max(1, ...all);
	fill($('depths'), s.depths.slice(0, 24).map((d, i) => bar(i, [['crawled', d.crawled], ['queued', d.queued],
		['failed', d.failed], ['refused', d.refused + d.redirected]], most, count(all[i]),
		d.crawled + ' crawled, ' + d.queued + ' queued, ' + d.failed + ' failed, ' + d.refused + ' refused, ' + d.redirected + ' redirected')));
}

/* --- charts */

/* The differences of a rising column, a second. */
function rates(h, column) {
	return h[column].map((v, i) => {
		const ms = h.ms[i] - (i ? h.ms[i - 1] : 0);
		return ms > 0 ? 1000 * (v - (i ? h[column][i - 1] : 0)) / ms : 0;
	});
}

/* Lines over time; names[i] is the name of lines[i]. The chart goes from 0 to the greatest value, or over `range`, where a value
 * outside the range is left out. */
function chart(names, x, lines, show, range) {
	if (range) lines = lines.map(y => y.map(v => v < range[0] || v > range[1] ? null : v));
	const values = lines.flat().filter(v => v !== null);
	const [bottom, top] = range || [Math.min(...values, 0), Math.max(...values, 0)], span = top - bottom || 1;
	const height = v => 38 * (v - bottom) / span;
	const end = x[x.length - 1] || 1, now = lines.map(y => show(y.findLast(v => v !== null) ?? 0));
	const picture = svg('svg', {viewBox: '0 0 100 40', preserveAspectRatio: 'none', role: 'img', 'aria-label': names.map((n, k) => n + ': now ' + now[k]).join(', ')});
	picture.append(svg('line', {x1: 0, y1: 40, x2: 100, y2: 40}));
	lines.forEach((line, k) => {
		let d = '';
		line.forEach((v, i) => {
			if (v !== null) d += (d ? 'L' : 'M') + (100 * x[i] / end).toFixed(2) + ' ' + (40 - height(v)).toFixed(2);
		});
		picture.append(svg('path', {d, class: k ? 'b' : 'a'}));
	});
	return make('figure', {}, make('figcaption', {}, ...names.map((n, k) => make('span', {}, make('i', {class: 'dot ' + (k ? 'b' : 'a')}), n + ' ', make('b', {}, now[k])))), picture,
		make('div', {class: 'axis', 'aria-hidden': 'true'}, make('span', {}, time(0)), make('span', {}, range ? 'from ' + show(bottom) + ' to ' + show(top) : 'top ' + show(top)), make('span', {}, time(end))));
}

function showCharts(h) {
	$('h-charts').parentNode.hidden = h.ms.length < 2;
	if (h.ms.length < 2) return;
	fill($('charts'), [
		chart(['Pages a second', 'failures'], h.ms, [rates(h, 'crawled'), rates(h, 'failed')], short),
		chart(['Bytes a second'], h.ms, [rates(h, 'bytes')], bytes),
		chart(['Discovered', 'queued'], h.ms, [h.seen, h.queued], short),
		chart(['Mean key of the pages taken'], h.ms, [h.key], v => key(Number(v.toPrecision(3))), usual(h.key)),
		chart(['Hosts waiting', 'ready'], h.ms, [h.hosts_waiting, h.hosts_ready], short),
		chart(['Memory'], h.ms, [h.resident_bytes], bytes)]);
}

/* --- pages */

/* `place` is the list that the link is in, where the page may name the URL twice. */
function link(url, place) {
	const by = place + ' ' + url;
	return make('button', {class: 'link', type: 'button', title: url, 'data-key': by, onclick: async () => {
		if (place.startsWith('next')) cameFrom = by;
		await explain(url);
		$('explained').focus({preventScroll: true});
	}}, url);
}

/* Closes the explanation, and goes back to the link that it was asked by. */
function closeExplained() {
	const within = $('explained').contains(document.activeElement);
	$('explained').replaceChildren();
	if (within) (keyed([document.body], cameFrom) || $('url')).focus();
}

function hostNow(h) {
	return h.state + (h.ready_in_ms ? ' ' + time(h.ready_in_ms) : '');
}

function showNext(rows) {
	fill($('next'), rows.map(r => make('tr', {}, make('td', {class: 'url'}, link(r.url, 'next')), make('td', {class: 'n'}, key(r.key)),
		make('td', {class: 'n'}, r.depth), make('td', {}, hostNow(r.host_now)),
		make('td', {class: 'url'}, r.found_on ? link(r.found_on, 'next ' + r.url) : r.depth ? '' : 'a seed'))));
	$('next-why').textContent = rows.length ? rows[0].why.split(';')[0] + ', of the hosts that may be asked.' : 'No page is queued.';
}

async function explain(url) {
	$('url').value = url;
	const out = $('explained');
	try {
		const e = await call('explain', {url});
		const list = make('dl', {});
		const rows = {State: e.state, Because: e.because, Status: e.status, Depth: e.depth, Key: key(e.key), Why: e.why,
			Host: e.host + ' (' + hostNow(e.host_now) + ')', Tries: e.tries, Bytes: e.bytes, Time: e.time && new Date(e.time).toISOString(),
			'Redirects to': e.redirects_to, 'Duplicate of': e.duplicate_of, 'Taken for a trap': e.suspicion && e.suspicion.because};
		for (const name in rows)
			if (rows[name] || rows[name] === 0) list.append(make('dt', {}, name), make('dd', {}, rows[name]));
		out.replaceChildren(list, make('h3', {}, 'The way to it'), make('ol', {}, ...e.way.map(u => make('li', {}, link(u, 'way')))));
		if (e.linked_from.length) out.append(make('h3', {}, 'Linked from (' + count(e.n_linked_from) + (e.linked_from_is_cut ? ' or more' : '') + ')'),
			make('ul', {}, ...e.linked_from.map(u => make('li', {}, link(u, 'from')))));
		if (e.links) out.append(make('h3', {}, 'Its links (' + count(e.n_links) + ')'),
			make('ul', {}, ...e.links.map(l => make('li', {}, link(l.url, 'links'), ' ' + l.state))));
	} catch (problem) {
		out.replaceChildren(make('p', {}, problem.message));
	}
	$('explain').scrollIntoView({block: 'nearest'});
}

/* --- hosts */

const columns = [['name', 'Host'], [null, 'State'], ['queued', 'Queued'], ['crawled', 'Crawled'], ['failed', 'Failed'], ['refused', 'Refused'],
	['requests', 'Requests'], ['bytes', 'Bytes'], ['mean_ms', 'Mean ms'], [null, 'Last failure']];

function showHead(writable) {
	const cells = columns.map(([by, title], i) => {
		const cell = make('th', {scope: 'col', class: i > 1 && i < 9 ? 'n' : ''},
			by ? make('button', {type: 'button', 'data-key': 'by ' + by, onclick: () => { sort = by; showHead(writable); lookAtHosts(); }}, title) : title);
		if (by === sort) cell.setAttribute('aria-sort', by === 'name' ? 'ascending' : 'descending');
		return cell;
	});
	if (writable) cells.push(make('th', {scope: 'col'}, 'Steer'));
	fill($('host-head'), cells);
}

function steerHost(r) {
	const button = (place, verb, text) => make('button', {type: 'button', 'aria-label': text + ' ' + r.host, 'data-key': place + ' ' + r.host,
		onclick: () => command(verb, {host: r.host})}, text);
	return make('td', {}, r.state === 'held' ? button('hold', 'release', 'Release') : button('hold', 'hold', 'Hold'), ' ',
		r.state === 'blocked' ? button('block', 'unblock', 'Unblock') : button('block', 'block', 'Block'));
}

/* An answer is passed over if the page has asked again meanwhile: it may be older than what a person has done since. */
let hostsAsked = 0;

async function lookAtHosts() {
	const asked = ++hostsAsked, args = {'sort-by': sort, count: '50'};
	if ($('match').value) args.match = $('match').value;
	if ($('host-state').value) args.only = $('host-state').value;
	const h = await call('hosts', args), writable = last && last.stage !== 'stored';
	if (asked !== hostsAsked) return;
	if (!$('host-head').firstChild) showHead(writable);
	$('hosts-of').textContent = h.rows.length < h.matching ? 'the first ' + h.rows.length + ' of ' + count(h.matching) : count(h.matching) + ' hosts';
	fill($('hosts'), h.rows.map(r => {
		const row = make('tr', {}, make('th', {scope: 'row', class: 'url', title: r.host}, r.host), make('td', {}, r.state),
			...['queued', 'crawled', 'failed', 'refused', 'requests'].map(c => make('td', {class: 'n'}, count(r[c]))),
			make('td', {class: 'n'}, bytes(r.bytes)), make('td', {class: 'n'}, r.mean_ms ? Math.round(r.mean_ms) : ''),
			make('td', {}, r.last_failure ? r.last_failure + (r.last_failure === 'status' ? ' ' + r.last_failure_status : '') : ''));
		if (writable) row.append(steerHost(r));
		return row;
	}));
}

/* --- again and again */

let looks = 0;

/* The figures each time; of the charts and the next pages, which cost the crawl more, one or the other: without a turn, both.
 * Here, too, an answer is passed over if the page has asked again meanwhile. */
async function look(turn) {
	const asked = ++looks, s = await call('status');
	if (asked !== looks) return;
	last = s;
	$('login').hidden = true;
	$('all').hidden = false;
	showStage(s);
	showTiles(s);
	showLimit(s);
	showAnswers(s);
	showDepths(s);
	if (!(turn > 1 && turn % 2)) showCharts(await call('history'));
	if (!(turn > 1) || turn % 2) showNext((await call('next', {count: '20'})).rows);
}

async function watch() {
	let wait = 2000;
	if (!document.hidden)
		try {
			const turn = watch.turn = (watch.turn || 0) + 1;
			await look(turn);
			if (turn % 2) await lookAtHosts();
			say('');
			if (last && last.stage === 'stored') return;
		} catch (e) {
			say(last ? 'The crawl does not answer (' + e.message + '). It may have ended.' : e.message);
			if (last) $('stage').textContent = 'no answer';
			wait = 5000;
		}
	watch.timer = setTimeout(watch, wait);
}

function begin() {
	clearTimeout(watch.timer);
	watch();
}

function takeBackStop() {
	clearTimeout(stopAsked);
	stopAsked = 0;
	$('stop').textContent = 'Stop';
}

function listen() {
	const on = (id, kind, act) => $(id).addEventListener(kind, event => { event.preventDefault(); act(event); });
	on('login', 'submit', () => { token = $('token').value; begin(); });
	on('pause', 'click', () => command(last.stage === 'paused' ? 'resume' : 'pause', {}));
	on('stop', 'click', () => {
		const sure = stopAsked;
		takeBackStop();
		if (sure) return command('stop', {});
		$('stop').textContent = 'Really stop?';
		stopAsked = setTimeout(takeBackStop, 30000); /* a second click before counts */
	});
	document.addEventListener('keydown', event => {
		if (event.key !== 'Escape') return;
		if (stopAsked) takeBackStop();
		else if ($('explained').firstChild) closeExplained();
	});
	on('find-hosts', 'submit', lookAtHosts);
	on('match', 'input', lookAtHosts);
	on('host-state', 'change', lookAtHosts);
	on('explain', 'submit', () => explain($('url').value));
	on('seed', 'submit', () => command('seed', {urls: $('seeds').value.split(/\s+/).filter(u => u)}, a => {
		$('seeds').value = '';
		return count(a.queued) + ' seeds queued';
	}));
	on('delay', 'submit', () => command('delay', {delay: $('delay-value').value}, a => 'The delay is ' + a.delay_ms + ' ms'));
}

if (location.hash.length > 1) {
	token = decodeURIComponent(location.hash.slice(1));
	history.replaceState(null, '', location.pathname);
}
listen();
begin();
