// Reads what a person sees of this document with scripts off. Returns JSON; leaves
// the shown form fields in __fields for the accessibility tree to name.
(() => {
  // What is in noscript is part of the page only where nothing else is shown.
  const places = [...document.querySelectorAll('noscript')].map(n => [n, n.parentNode, n.nextSibling]);
  for (const [n] of places) n.remove();
  if (document.body && !/[\p{L}\p{N}]/u.test(document.body.getClientRects().length ? document.body.innerText : '')) {
    for (const [n, p, next] of places.reverse()) p.insertBefore(n, next);
  }

  const skip = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'IFRAME', 'NOEMBED', 'NOFRAMES', 'TITLE', 'HEAD', 'TEXTAREA']);
  const flat = s => s.replace(/[\s\u00a0]+/g, ' ').trim();
  const kids = n => {
    if (n.shadowRoot) return [...n.shadowRoot.childNodes];
    if (n.nodeName === 'SLOT' && n.getRootNode() instanceof ShadowRoot) {
      const a = n.assignedNodes();
      return a.length ? a : [...n.childNodes];
    }
    return [...n.childNodes];
  };
  const parent = n => n.assignedSlot || n.parentNode || (n instanceof ShadowRoot ? n.host : null);
  const closed = n => { // inside a closed details, outside its summary
    for (let c = n, p = parent(n); p; c = p, p = parent(p)) {
      if (p.nodeName === 'DETAILS' && !p.open && c !== p.querySelector(':scope > summary')) return true;
    }
    return false;
  };
  const has = (n, sel) => {
    for (let p = n; p; p = parent(p)) if (p.matches && p.matches(sel)) return true;
    return false;
  };
  const range = document.createRange();
  const styleOf = new Map();
  const cs = e => { let s = styleOf.get(e); if (!s) { s = getComputedStyle(e); styleOf.set(e, s); } return s; };
  const skipped = new Map(); // element -> its contents are skipped by content-visibility
  const skips = e => {
    if (!e || e.nodeType !== 1) return false;
    let s = skipped.get(e);
    if (s === undefined) {
      let p = parent(e);
      if (p && p.nodeType === 11) p = p.host;
      s = cs(e).contentVisibility === 'hidden' || skips(p);
      skipped.set(e, s);
    }
    return s;
  };
  const textShown = t => {
    const p = t.parentElement || (t.parentNode && t.parentNode.host);
    if (!p) return false;
    if (p.nodeName === 'OPTION' || p.nodeName === 'OPTGROUP') {
      const sel = p.closest('select');
      return !!sel && boxShown(sel);
    }
    if (skips(p)) return false;
    range.selectNodeContents(t);
    if (!range.getClientRects().length) return false;
    return cs(p).visibility === 'visible';
  };
  const boxShown = e => e.getClientRects().length > 0 && cs(e).visibility === 'visible' && !skips(parent(e));

  // One walk over the flat tree sorts every text node.
  const body = document.body;
  const out = { text: '', quiet: [], details: [], hidden: [], allowed: [] };
  const shadows = [];
  const texts = new Map(); // element -> visible text below it, filled bottom up
  const walk = (n, quiet, det) => {
    if (n.nodeType === 3) {
      const s = flat(n.data);
      if (!s) return '';
      if (det) { out.details.push(s); return ''; }
      if (!textShown(n)) { out.hidden.push(s); return ''; }
      return n.data;
    }
    if (n.nodeType !== 1 && n.nodeType !== 11) return '';
    if (skip.has(n.nodeName.toUpperCase())) {
      if (n.namespaceURI && n.namespaceURI.endsWith('svg')) out.allowed.push(flat(n.textContent));
      return '';
    }
    if (n.namespaceURI && n.namespaceURI.endsWith('svg') && /^(title|desc|metadata)$/.test(n.nodeName)) {
      out.allowed.push(flat(n.textContent));
      return '';
    }
    if (n.nodeName === 'DATALIST') { out.allowed.push(flat(n.textContent)); return ''; }
    if (n.shadowRoot) shadows.push(n);
    const top = !quiet && n.getAttribute && n.getAttribute('aria-hidden') === 'true';
    quiet = quiet || top;
    let s = '';
    for (const k of kids(n)) {
      const d = det || (n.nodeName === 'DETAILS' && !n.open && k !== n.querySelector(':scope > summary'));
      s += walk(k, quiet, d);
    }
    if (n.nodeType === 1) texts.set(n, s);
    if (top && flat(s)) out.quiet.push(n.innerText === undefined ? s : n.innerText);
    return s;
  };
  const bodyShown = !!body && body.getClientRects().length > 0 && cs(document.documentElement).display !== 'none';
  if (body) walk(body, false, false);
  const muted = '[aria-hidden="true"],[inert]';
  if (bodyShown) {
    out.text = body.innerText;
    for (const h of shadows) { // innerText does not look into shadow trees
      for (const c of h.shadowRoot.childNodes) {
        if (c.nodeType === 3 && textShown(c)) out.text += '\n' + c.data;
        if (c.nodeType === 1 && c.innerText !== undefined && !skip.has(c.nodeName) && boxShown(c)) out.text += '\n' + c.innerText;
      }
    }
  }

  const all = []; // every element of the flat tree, in order
  const collect = n => { all.push(n); for (const k of kids(n)) if (k.nodeType === 1) collect(k); };
  if (body) collect(body);

  // Words that a reader gets by other ways than text: names, values, alternatives.
  for (const e of all) {
    for (const a of ['alt', 'aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'title', 'placeholder', 'label', 'summary', 'abbr', 'alttext', 'content', 'datetime', 'download']) {
      const v = e.getAttribute(a);
      if (v) out.allowed.push(flat(v));
    }
    if (/^(INPUT|BUTTON|METER|PROGRESS|DATA|LI|PARAM)$/.test(e.nodeName) && e.type !== 'hidden') {
      const v = e.getAttribute('value');
      if (v) out.allowed.push(flat(v));
    }
    if (e.nodeName === 'OPTION' && e.getAttribute('value')) out.allowed.push(flat(e.getAttribute('value')));
    if (e.nodeName === 'TEXTAREA') out.allowed.push(flat(e.value));
    if (e.nodeName === 'IFRAME' && e.srcdoc && e.contentDocument && e.contentDocument.body) out.allowed.push(flat(e.contentDocument.body.innerText));
    for (const a of ['aria-labelledby', 'aria-describedby', 'aria-details', 'aria-errormessage']) {
      const ids = e.getAttribute(a);
      if (ids && boxShown(e)) for (const id of ids.split(/\s+/)) {
        const t = id && e.getRootNode().getElementById && e.getRootNode().getElementById(id);
        if (t) out.allowed.push(flat(t.textContent));
      }
    }
  }

  const media = 'img,svg,video,canvas,object,embed,picture,input,button,iframe';
  const isMedia = e => /^(img|svg|video|canvas|object|embed|input|button|iframe|audio)$/i.test(e.nodeName);
  const links = [];
  for (const e of all) {
    const area = e.nodeName === 'AREA';
    const svgA = e.nodeName === 'a' && e.href && e.href.baseVal !== undefined;
    if (!((e.nodeName === 'A' && e.hasAttribute('href')) || (area && e.hasAttribute('href')) || svgA)) continue;
    let kind = '';
    const text = flat(texts.get(e) || '');
    if (area) {
      const map = e.closest('map');
      const img = map && map.name && document.querySelector('[usemap="#' + CSS.escape(map.name) + '"]');
      kind = img && img.checkVisibility({ visibilityProperty: true }) ? 'area' : '';
    } else if (closed(e)) kind = 'details';
    else if (text) kind = 'text';
    else {
      const m = [...e.querySelectorAll(media)].filter(x => x.checkVisibility({ visibilityProperty: true }));
      const box = [...e.getClientRects()].some(r => r.width > 0 && r.height > 0) && cs(e).visibility === 'visible';
      if (m.length) kind = 'image';
      else if (box) kind = 'box';
      else if (e.checkVisibility({ visibilityProperty: true })) kind = 'empty';
    }
    if (!kind || kind !== 'details' && skips(e)) continue;
    links.push({
      url: svgA ? new URL(e.href.baseVal, document.baseURI).href : e.href,
      href: svgA ? e.href.baseVal : e.getAttribute('href'), text, kind,
      quiet: has(e, muted) || undefined,
    });
  }

  // Shown text of e that is not hidden from assistive technology.
  const said = e => {
    if (e.nodeType === 3) return textShown(e) ? e.data : '';
    if (e.nodeType !== 1 && e.nodeType !== 11 || e.nodeType === 1 && (e.getAttribute('aria-hidden') === 'true' || skip.has(e.nodeName.toUpperCase()))) return '';
    return kids(e).map(said).join('');
  };
  const headings = [];
  for (const e of all) {
    const r = (e.getAttribute('role') || '').trim().toLowerCase();
    const m = /^H([1-6])$/.exec(e.nodeName);
    if (!(m && !r) && r !== 'heading') continue;
    const lv = parseInt(e.getAttribute('aria-level'), 10);
    const text = flat(texts.get(e) || '');
    if (!text || !e.checkVisibility({ visibilityProperty: true }) && !text) continue;
    const spoken = e.querySelector('[aria-hidden="true"]') ? flat(said(e)) : text;
    headings.push({ level: lv > 0 ? lv : m ? +m[1] : 2, text: spoken || text, quiet: !spoken || has(e, muted) || undefined });
  }

  const fields = [], els = [];
  for (const e of all) {
    if (!/^(INPUT|SELECT|TEXTAREA|BUTTON)$/.test(e.nodeName) || e.type === 'hidden') continue;
    const det = closed(e);
    if (!det && !boxShown(e)) continue;
    const f = { tag: e.nodeName.toLowerCase(), type: e.type, name: e.getAttribute('name') || '', value: e.type === 'password' ? '' : e.value.slice(0, 300) };
    if (e.required || e.getAttribute('aria-required') === 'true') f.required = true;
    if (e.matches(':disabled') || e.getAttribute('aria-disabled') === 'true') f.disabled = true;
    if (det) f.details = true;
    if (has(e, muted)) f.quiet = true;
    if (e.nodeName === 'SELECT') { f.options = [...e.options].map(o => flat(o.label || o.text)); f.multiple = e.multiple || undefined; }
    fields.push(f);
    els.push(e);
  }
  globalThis.__fields = els;

  return JSON.stringify({
    url: document.URL, base: document.baseURI, title: flat(document.title),
    lang: document.documentElement.getAttribute('lang') || '',
    charset: document.characterSet, bodyShown,
    text: out.text, quiet: out.quiet.join('\n'), details: out.details.join('\n'),
    hidden: out.hidden.join('\n'), allowed: out.allowed.join('\n'),
    walked: body ? flat(texts.get(body) || '').length : 0,
    links, headings, fields,
  });
})()
