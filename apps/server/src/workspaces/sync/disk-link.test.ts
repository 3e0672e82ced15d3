import { duplexPair } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { type Channel, createChannels } from '../agent/channels.mjs';
import { encodeParcel } from '../agent/parcels.mjs';
import { type Head, openDiskLink } from './disk-link.ts';

const sha = '0'.repeat(40);

/** The service's link to a disk, and the agent's end of it. */
async function linked() {
  const [ours, its] = duplexPair();
  const onError = () => undefined;
  const { promise, resolve } = Promise.withResolvers<Channel>();
  createChannels(its, { onError, onOpen: resolve });
  const channels = createChannels(ours, { onError });
  onTestFinished(() => channels.close());
  const heads: Head[] = [];
  const channel = channels.open({ kind: 'sync' });
  const link = openDiskLink({
    channel,
    maxBytes: 1_000,
    onReport: () => undefined,
    onHead: (head) => void heads.push(head),
  });
  const agent = await promise;
  agent.resume();
  const say = (head: unknown, body?: Buffer) => agent.write(encodeParcel(head, body));
  return { channel, link, agent, say, heads };
}

test('an agent that reports very many files is slowed down until they are handled', async () => {
  const { channel, link, agent } = await linked();
  const most = 200_000;
  let reported = 0;
  const report = () => {
    while (reported < most) {
      reported += 1;
      if (!agent.write(encodeParcel({ type: 'gone', path: `f${reported}` }))) return void agent.once('drain', report);
    }
  };
  report();
  await waitFor('the pause', () => channel.isPaused());
  const first = link.take();
  expect(first.length).toBeGreaterThan(1_000);
  expect(first.length).toBeLessThan(most / 4);
  await waitFor('the next ones', () => !link.isEmpty());
});

test('reports with forbidden or invalid names are ignored', async () => {
  const { link, say } = await linked();
  const flushed = link.flush();
  const names = ['', '/x', '../x', 'a/../x', './x', 'a//b', '.git/config', 'a/.GIT/hooks/x', 'git~1/x', 'a\0b', 'a\nb'];
  for (const path of [...names, 'x/'.repeat(3_000), 'x'.repeat(300), '\ud800', 7, null, {}, ['a']]) {
    say({ type: 'file', path, sha, exec: true }, Buffer.from('x'));
    say({ type: 'gone', path });
  }
  for (const bad of ['', 'x', '__proto__', undefined, 7, { toString: 1 }, [sha]]) {
    say({ type: 'file', path: 'other', sha: bad, exec: true }, Buffer.from('x'));
  }
  say({ type: 'file', path: '__proto__', sha, exec: 'yes' }, Buffer.from('x'));
  for (const type of ['written', 'refused', 'flushed', 'ready', 'constructor', '__proto__', null])
    say({ type, path: 'x' });
  for (const number of [99, 1]) say({ type: 'flushed', number });
  await flushed;
  expect(link.take().map(({ path, exec }) => ({ path, exec }))).toEqual([{ path: '/__proto__', exec: false }]);
});

test('the stream of an agent that sends null instead of a message is ended', async () => {
  const { channel, say } = await linked();
  say(null);
  await waitFor('the end', () => channel.destroyed);
});

test('what an agent reports about HEAD is reduced to valid values', async () => {
  const { say, heads } = await linked();
  say({ type: 'head', branch: 'x'.repeat(300), isElsewhere: 'yes', commits: ['zz', sha, null, { length: 40 }] });
  say({ type: 'head', branch: { toString: 1 }, isElsewhere: true, commits: Array(300).fill(sha) });
  await waitFor('both', () => heads.length === 2);
  expect(heads[0]).toMatchObject({ branch: null, isElsewhere: false, commits: [Buffer.from(sha, 'hex')] });
  expect(heads[1]?.commits).toHaveLength(200);
});
