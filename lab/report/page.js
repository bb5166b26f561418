(function () {
	'use strict';
	var all = function (query, of) { return Array.from((of || document).querySelectorAll(query)); };

	/* A series is switched off in every figure, and with it the rows and columns that bear its name. */
	var off = {}, names = [];
	all('svg [data-of]').forEach(function (shape) {
		if (names.indexOf(shape.dataset.of) < 0) names.push(shape.dataset.of);
	});
	var show = function () {
		all('svg [data-of]').forEach(function (shape) { shape.classList.toggle('off', !!off[shape.dataset.of]); });
		all('tbody tr').forEach(function (row) { row.classList.toggle('off', [0, 1].some(function (i) { return row.cells[i] && off[row.cells[i].textContent]; })); });
		all('table').forEach(function (table) {
			all('thead th', table).forEach(function (head, i) {
				if (i && names.indexOf(head.textContent) >= 0)
					all('tr', table).forEach(function (row) { row.cells[i].classList.toggle('off', !!off[head.textContent]); });
			});
		});
	};
	if (names.length > 1) {
		var pick = document.createElement('div');
		pick.className = 'pick';
		names.forEach(function (name) {
			var label = document.createElement('label'), box = document.createElement('input');
			box.type = 'checkbox';
			box.checked = true;
			box.addEventListener('change', function () { off[name] = !box.checked; show(); });
			label.append(box, ' ' + name);
			pick.append(label);
		});
		document.querySelector('h1').after(pick);
	}

	/* The values of all curves at the pointer, told from where they are drawn. */
	var axis = function (text) {
		var a = text.split(' ').map(Number);
		return function (place) {
			var share = (place - a[2]) / (a[3] - a[2]);
			return a[4] ? a[0] * Math.pow(a[1] / a[0], share) : a[0] + share * (a[1] - a[0]);
		};
	};
	var digits = function (value) { return Number(value.toPrecision(4)).toString(); };
	var points = function (shape) {
		if (shape.tagName === 'circle') return [[+shape.getAttribute('cx'), +shape.getAttribute('cy')]];
		return (shape.getAttribute('d').match(/[-\d.]+ [-\d.]+/g) || []).map(function (pair) { return pair.split(' ').map(Number); });
	};
	all('svg[data-x]').forEach(function (svg) {
		var x = axis(svg.dataset.x), y = axis(svg.dataset.y), tip = document.createElement('div');
		var curves = all('path[fill="none"][data-of]:not([stroke-opacity]),circle[data-of]', svg).filter(function (shape) {
			return shape.tagName === 'circle' || points(shape).length > 2 || !shape.getAttribute('stroke-width').startsWith('2.5');
		});
		tip.className = 'tip off';
		svg.parentNode.append(tip);
		svg.addEventListener('pointerleave', function () { tip.classList.add('off'); });
		svg.addEventListener('pointermove', function (event) {
			var box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
			var at = (event.clientX - box.left) * scale, best = {}, nearest = 1e9;
			curves.forEach(function (shape) {
				if (off[shape.dataset.of]) return;
				points(shape).forEach(function (point) {
					var far = Math.abs(point[0] - at), old = best[shape.dataset.of];
					if (far <= 12 && (!old || far < old.far)) best[shape.dataset.of] = {far: far, point: point};
					if (far < nearest) nearest = far;
				});
			});
			var rows = Object.keys(best).map(function (name) { return {name: name, x: x(best[name].point[0]), y: y(best[name].point[1])}; });
			if (!rows.length) return tip.classList.add('off');
			rows.sort(function (a, b) { return b.y - a.y; });
			var same = rows.every(function (row) { return Math.abs(row.x - rows[0].x) < 1e-6 * Math.abs(rows[0].x) + 1e-9; });
			tip.textContent = (same ? digits(rows[0].x) + '\n' : '') + rows.map(function (row) {
				return (same ? '' : digits(row.x) + ': ') + digits(row.y) + '  ' + row.name;
			}).join('\n');
			tip.classList.remove('off');
			var left = event.clientX - box.left, over = left > box.width / 2;
			tip.style.left = over ? '' : left + 14 + 'px';
			tip.style.right = over ? svg.parentNode.clientWidth - left + 14 + 'px' : '';
			tip.style.top = Math.max(0, event.clientY - box.top - 20) + 'px';
		});
	});
})();
