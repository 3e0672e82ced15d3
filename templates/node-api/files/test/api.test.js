import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { createApp } from '../src/app.js';
import { createNotes } from '../src/notes.js';

const server = createServer(createApp({ notes: createNotes() }));
let base;
before(async () => {
  await new Promise((resolve) => server.listen(0, resolve));
  base = `http://localhost:${server.address().port}`;
});
after(() => server.close());

function post(body, headers = { 'content-type': 'application/json' }) {
  return fetch(`${base}/notes`, { method: 'POST', headers, body });
}

test('it says that it is well', async () => {
  const response = await fetch(`${base}/health`);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { status: 'ok' });
});

test('it says what it is called', async () => {
  const { name } = await (await fetch(base)).json();
  assert.equal(name, '{{project_name}}');
});

test('a note is made, read, listed and removed', async () => {
  const made = await post(JSON.stringify({ text: ' Hello ' }));
  assert.equal(made.status, 201);
  const note = await made.json();
  assert.equal(note.text, 'Hello');
  assert.equal(made.headers.get('location'), `/notes/${note.id}`);

  assert.deepEqual(await (await fetch(`${base}/notes/${note.id}`)).json(), note);
  assert.deepEqual((await (await fetch(`${base}/notes`)).json()).data, [note]);

  const removed = await fetch(`${base}/notes/${note.id}`, { method: 'DELETE' });
  assert.equal(removed.status, 204);
  assert.equal((await fetch(`${base}/notes/${note.id}`)).status, 404);
});

test('what cannot be a note is refused', async () => {
  assert.equal((await post('{}')).status, 422);
  assert.equal((await post('[]')).status, 400);
  assert.equal((await post('{')).status, 400);
  assert.equal((await post('text', { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await post(JSON.stringify({ text: 'x'.repeat(2_000_000) }))).status, 413);
});

test('an unknown address is a 404, an unknown method a 405', async () => {
  assert.equal((await fetch(`${base}/nothing`)).status, 404);
  assert.equal((await fetch(`${base}/%zz`)).status, 400);
  const put = await fetch(`${base}/notes`, { method: 'PUT' });
  assert.equal(put.status, 405);
  assert.equal(put.headers.get('allow'), 'GET, POST');
});
