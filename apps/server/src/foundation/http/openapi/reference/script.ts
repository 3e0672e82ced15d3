/**
 * The script of the page: search, anchors, requests to try, code examples. The token stays in its field and is gone
 * when the page is closed. Texts are inserted with `textContent` only.
 */
export const script = `
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const [search, token, found] = ['search', 'token', 'found'].map((id) => document.getElementById(id));
const operations = all('details.operation');

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const texts = new Map();
function textOf(operation) {
  if (!texts.has(operation)) texts.set(operation, operation.textContent.toLowerCase());
  return texts.get(operation);
}

function filter() {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const operation of operations) operation.hidden = !words.every((word) => textOf(operation).includes(word));
  for (const section of all('main section')) {
    section.hidden = words.length > 0 && !section.querySelector('details.operation:not([hidden])');
  }
  const count = operations.filter((operation) => !operation.hidden).length;
  found.textContent = words.length === 0 ? '' : count === 0 ? 'Nothing found' : count + ' found';
}

function goToAddress() {
  let place = null;
  try {
    place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  } catch {}
  if (!place) return;
  if (search.value !== '') search.value = '', filter();
  if (place.tagName === 'DETAILS') place.open = true;
  place.scrollIntoView();
}

function bringSchema(details) {
  const source = document.getElementById('schema/' + details.dataset.schema);
  if (source) details.lastElementChild.replaceWith(source.querySelector('.inside').cloneNode(true));
  delete details.dataset.schema;
}

function requestOf(operation, fields, body) {
  const given = fields.filter(({ input }) => input.value !== '');
  const of = (where) => given.filter((field) => field.where === where).map(({ name, input }) => [name, input.value]);
  let path = operation.dataset.path;
  for (const [name, value] of of('path')) path = path.replace('{' + name + '}', encodeURIComponent(value));
  const query = new URLSearchParams(of('query')).toString();
  const headers = Object.fromEntries(of('header'));
  if (body && body.value !== '') headers['Content-Type'] = body.dataset.type;
  return {
    method: operation.dataset.method,
    url: location.origin + path + (query && '?' + query),
    headers,
    body: body && body.value !== '' ? body.value : undefined,
  };
}

const inShell = (text) => "'" + text.replaceAll("'", "'\\\\''") + "'";
const withToken = (headers) => ({ Authorization: 'Bearer YOUR_TOKEN', ...headers });
const samples = {
  curl: ({ method, url, headers, body }) =>
    ['curl -X ' + method + ' ' + inShell(url),
      ...Object.entries(withToken(headers)).map(([name, value]) => '-H ' + inShell(name + ': ' + value)),
      ...(body === undefined ? [] : ['-d ' + inShell(body)])].join(' \\\\\\n  '),
  JavaScript: ({ method, url, headers, body }) =>
    'const answer = await fetch(' + JSON.stringify(url) + ', ' +
    JSON.stringify({ method, headers: withToken(headers), body }, null, 2) + ');\\nconsole.log(await answer.text());',
  Python: ({ method, url, headers, body }) =>
    'import requests\\n\\nanswer = requests.request(\\n  ' + JSON.stringify(method) + ', ' + JSON.stringify(url) +
    ',\\n  headers=' + JSON.stringify(withToken(headers)) +
    (body === undefined ? '' : ',\\n  data=' + JSON.stringify(body) + '.encode()') + ',\\n)\\nprint(answer.text)',
};

const maxShown = 200000;
async function send(request, output, signal) {
  output.textContent = '…';
  const headers = { ...request.headers, ...(token.value && { Authorization: 'Bearer ' + token.value.trim() }) };
  try {
    const answer = await fetch(request.url, { method: request.method, headers, body: request.body, signal });
    const first = answer.status + ' ' + answer.statusText + '\\n' +
      [...answer.headers].map(([name, value]) => name + ': ' + value).join('\\n') + '\\n\\n';
    let text = '';
    // A stream of events does not end, so its output is shown as it arrives.
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      output.textContent = first + text.slice(0, maxShown);
      if (text.length > maxShown) break;
    }
    if (/json/.test(answer.headers.get('content-type') ?? '')) {
      try {
        text = JSON.stringify(JSON.parse(text), null, 2);
      } catch {}
    }
    output.textContent = first + text.slice(0, maxShown);
  } catch (error) {
    if (error.name !== 'AbortError') output.textContent = String(error);
  }
}

function labelled(text, input) {
  return element('label', {}, element('span', { textContent: text }), input);
}

function addForm(operation) {
  const fields = all('[data-in]', operation).map(({ dataset }) => {
    const input = element('input', { autocomplete: 'off', spellcheck: false });
    return { where: dataset.in, name: dataset.name, input };
  });
  const example = operation.querySelector('pre.example');
  const body = example && element('textarea', { value: example.textContent, rows: 8, spellcheck: false });
  if (body) body.dataset.type = example.dataset.type;
  const languages = element('select', {}, ...Object.keys(samples).map((name) => new Option(name)));
  const code = element('pre', { tabIndex: 0 });
  const output = element('pre', { className: 'answer', tabIndex: 0 });
  output.setAttribute('role', 'status');
  output.setAttribute('aria-label', 'Response');
  code.setAttribute('aria-label', 'Example');
  const show = () => {
    code.textContent = samples[languages.value](requestOf(operation, fields, body));
  };
  const form = element('form', { className: 'try' },
    element('h4', { textContent: 'Try it' }),
    ...fields.map(({ name, input }) => labelled(name, input)),
    ...(body ? [labelled('Body', body)] : []),
    labelled('As', languages), code,
    element('button', { textContent: 'Send' }), output);
  let last = new AbortController();
  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    last.abort();
    last = new AbortController();
    send(requestOf(operation, fields, body), output, last.signal);
  });
  show();
  operation.querySelector('.inside').append(form);
}

document.addEventListener('toggle', ({ target }) => {
  if (!target.open) return;
  if (target.dataset.schema) bringSchema(target);
  if (target.dataset.method && !target.querySelector('form')) addForm(target);
  if (target.id && decodeURIComponent(location.hash.slice(1)) !== target.id) history.replaceState(null, '', '#' + target.id);
}, true);
document.addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  const isShortcut = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
  if (!isShortcut) return;
  event.preventDefault();
  search.focus();
});
search.addEventListener('input', filter);
addEventListener('hashchange', goToAddress);
search.disabled = token.disabled = false;
token.form.addEventListener('submit', (event) => event.preventDefault());
goToAddress();
`;
