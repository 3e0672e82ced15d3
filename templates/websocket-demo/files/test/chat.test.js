import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApp } from '../src/app.js';

const { server, close } = createApp({ pingMs: 50 });
let port;
before(async () => {
  await new Promise((resolve) => server.listen(0, resolve));
  port = server.address().port;
});
after(() => new Promise((resolve) => close(resolve)));

/** A guest, and the messages that it gets in their order. */
async function connect() {
  const socket = new WebSocket(`ws://localhost:${port}/ws`);
  const arrived = [];
  const waiting = [];
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data);
    const taker = waiting.shift();
    if (taker) taker(message);
    else arrived.push(message);
  });
  const next = () => (arrived.length > 0 ? Promise.resolve(arrived.shift()) : new Promise((resolve) => waiting.push(resolve)));
  const nextOf = async (type) => {
    for (;;) {
      const message = await next();
      if (message.type === type) return message;
    }
  };
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  return { socket, nextOf, closed, say: (message) => socket.send(JSON.stringify(message)) };
}

test('the page is served', async () => {
  const response = await fetch(`http://localhost:${port}/`);
  assert.equal(response.status, 200);
  assert.match(await response.text(), /client\.js/);
});

test('what one says, all hear, and who comes later too', async () => {
  const one = await connect();
  const other = await connect();
  await one.nextOf('welcome');
  one.say({ type: 'name', name: 'Ada' });
  one.say({ type: 'say', text: 'Grüße 👋' });
  for (const guest of [one, other]) {
    const { name, text } = await guest.nextOf('said');
    assert.deepEqual({ name, text }, { name: 'Ada', text: 'Grüße 👋' });
  }
  const late = await connect();
  assert.equal((await late.nextOf('welcome')).said.at(-1).text, 'Grüße 👋');
  for (const guest of [one, other, late]) {
    guest.socket.close(1000);
    assert.equal((await guest.closed).code, 1000);
  }
});

test('a long message arrives whole, one that is too long ends the connection', async () => {
  const guest = await connect();
  guest.say({ type: 'say', text: 'x'.repeat(1000) });
  assert.equal((await guest.nextOf('said')).text.length, 1000);
  guest.socket.send('x'.repeat(70_000));
  assert.equal((await guest.closed).code, 1009);
});

test('what is no message is answered with an error, bytes end the connection', async () => {
  const guest = await connect();
  guest.socket.send('{');
  assert.match((await guest.nextOf('error')).message, /say/);
  guest.socket.send(new Uint8Array([1, 2, 3]));
  assert.equal((await guest.closed).code, 1003);
});

test('a page of another site may not connect', async () => {
  const { request } = await import('node:http');
  const status = await new Promise((resolve, reject) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      origin: 'https://elsewhere.example',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    request({ port, path: '/ws', headers }, (response) => resolve(response.statusCode)).on('error', reject).end();
  });
  assert.equal(status, 403);
});
