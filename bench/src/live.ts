import { closeAll, connectAll, fanOut, latency, type Room, yjsUpdates } from './live-clients.ts';
import { type Figures, median } from './measure.ts';
import type { Row } from './report.ts';
import { send } from './send.ts';
import { type Connection, startServer } from './start-server.ts';

type Context = {
  bottega: string;
  key: string;
  seconds: number;
  connection: Connection;
  memory(): Promise<number>;
};

const rounds = 5;
const timed = (perSecond: number): Figures => ({ perSecond, p50: 0, p99: 0 });
const said = (text: string): Figures => ({ ...timed(0), text });

const content = 'a line of some file that is edited\n'.repeat(300);

/** A session in a new project, with a file of ten kilobytes. */
async function newRoom(context: Context, path: string, query = ''): Promise<Room & { project: string }> {
  const { id: project } = await send<{ id: string }>(context, 'POST', '/projects', { name: 'Live' });
  await send(context, 'PUT', `/projects/${project}/files`, { path, content });
  const input = { name: 'Bench', workspace_id: project };
  const { session_id } = await send<{ session_id: string }>(context, 'POST', '/collaboration/sessions', input);
  const url = `${context.bottega.replace('http', 'ws')}/v1/collaboration/sessions/${session_id}/ws${query}`;
  return { url, headers: { authorization: `Bearer ${context.key}` }, path, project };
}

/** Runs the two in turns; returns the median round of each. */
async function inTurns(ours: () => Promise<number>, other: () => Promise<number>) {
  const mine: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    mine.push(await ours());
    theirs.push(await other());
  }
  const [one, two] = [median(mine), median(theirs)];
  process.stdout.write(`  ${Math.round(one)} against ${Math.round(two)}: ${(one / two).toFixed(2)}\n`);
  return { ours: timed(one), other: timed(two), ratio: one / two };
}

export async function measureLive(context: Context): Promise<Row[]> {
  const bare = await startServer('bare-live-server.ts', context.connection);
  const bareRoom = (path: string, at = '/'): Room => ({ url: bare.url.replace('http', 'ws') + at, headers: {}, path });
  try {
    const room = { size: 50, writers: 10, seconds: context.seconds };
    const path = '/file.txt';
    const rows: Row[] = [
      {
        what: 'JSON edits told to a room of 50',
        against: 'a `ws` server that parses, and serialises to all others',
        goal: '≥ 0.7',
        ...(await inTurns(
          async () => fanOut(await newRoom(context, path), room),
          () => fanOut(bareRoom(path), room),
        )),
      },
    ];
    for (const writers of [5, 50, 200]) {
      const load = { writers, seconds: context.seconds };
      const ours = await latency(await newRoom(context, path), load);
      const other = await latency(bareRoom(path), load);
      const ratio = other.p50 / ours.p50;
      rows.push({
        what: `From an edit to its peers, ${writers} who type`,
        against: 'the same server, which keeps nothing',
        goal: '–',
        ours,
        other,
        ratio,
      });
    }
    const yjs = { size: 20, writers: 5, edits: 1000 };
    rows.push({
      what: 'Updates of Yjs, 5 writers in a room of 20, stored before they are confirmed',
      against: 'Hocuspocus as it comes, which stores nothing',
      goal: '≥ 1',
      ...(await inTurns(
        async () => yjsUpdates(await newRoom(context, path, '?frames=yjs'), yjs),
        // A new document each time, as ours has.
        () => yjsUpdates(bareRoom(`/${Math.random()}`, '/yjs'), yjs),
      )),
    });
    rows.push(...(await memory(context)));
    return rows;
  } finally {
    await bare.stop();
  }
}

/** Memory that is freed when they leave: at that time nothing else is left of creating them. */
async function memory(context: Context): Promise<Row[]> {
  const count = 300;
  const rooms: Room[] = [];
  for (let made = 0; made < count; made++) rooms.push(await newRoom(context, '/file.txt'));
  const sockets = (await Promise.all(rooms.map((room) => connectAll(room, 1)))).flat();
  for (const ws of sockets) ws.send(JSON.stringify({ type: 'open_file', file_path: '/file.txt' }));
  await pause(5_000);
  const open = await context.memory();
  for (const ws of sockets) ws.send(JSON.stringify({ type: 'close_file', file_path: '/file.txt' }));
  // Texts that nobody has open are closed after ten seconds.
  await pause(15_000);
  const idle = await context.memory();
  await closeAll(sockets);
  await pause(2_000);
  const none = await context.memory();
  const kib = (bytes: number) => said(`${(bytes / count / 1024).toFixed(1)} KiB`);
  const row = (what: string, ours: Figures): Row => ({
    what,
    ours,
    against: '–',
    other: said('–'),
    ratio: 0,
    goal: '–',
  });
  return [
    row('Memory of an idle session with one socket', kib(idle - none)),
    row('Memory of an open file of 10 KiB', kib(open - idle)),
  ];
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
