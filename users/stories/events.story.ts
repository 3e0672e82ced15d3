import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Bottega } from '@bottega/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installation, newPerson } from '../people.ts';
import { projectWith } from '../projects.ts';

/** Forwards everything, and can be cut. */
const sockets = new Set<Socket>();
const cable = createServer((near) => {
  const { hostname, port } = new URL(installation().url);
  const far = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname);
  for (const socket of [near, far]) {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  }
  near.pipe(far).pipe(near);
});
beforeAll(() => new Promise<void>((resolve) => cable.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  cable.close();
});

test('the stream of events misses nothing and repeats nothing when its connection is cut', async () => {
  const person = await newPerson();
  const id = await projectWith(person.client, { '/0.txt': '0' });
  const { pagination } = await person.client.events.list({ projectId: id });
  const baseUrl = `http://127.0.0.1:${(cable.address() as AddressInfo).port}`;
  const follower = new Bottega({ baseUrl, token: person.key });
  const heard: string[] = [];
  const written = 12;
  const following = (async () => {
    const events = follower.events.subscribe({ projectId: id, types: ['file.created'], after: pagination.next });
    for await (const event of events) {
      heard.push(JSON.stringify(event.data));
      if (heard.length === written) return;
    }
  })();
  for (let nr = 1; nr <= written; nr++) {
    await person.client.files.write(id, { path: `/${nr}.txt`, content: String(nr) });
    if (nr % 4 === 0) for (const socket of sockets) socket.destroy();
  }
  await following;
  expect(new Set(heard).size).toBe(written);
});
