import { PassThrough } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Cluster } from './cluster.ts';

/** The first version in which the end of the input can be told; Kubernetes 1.30 has it. */
const protocol = 'v5.channel.k8s.io';
const channels = { input: 0, output: 1, errors: 2, status: 3, end: 255 };
const frameBytes = 32 * 1024;
/** Proxies on the way close what is silent. */
const pingMs = 20_000;

export type Execution = {
  stdout: PassThrough;
  stderr: PassThrough;
  /** Once there is no more output; null where nobody could tell how it ended. */
  code: Promise<number | null>;
  /** Hangs up, whatever the command does. */
  leave(): void;
};

type Wanted = { pod: string; container: string; command: string[]; input: Iterable<Buffer> | AsyncIterable<Buffer> };

/** Runs a command in a container. The command is a part of the address and gets into logs: secrets belong to the input. */
export async function execute(cluster: Cluster, { pod, container, command, input }: Wanted): Promise<Execution> {
  const query = new URLSearchParams([
    ...Object.entries({ container, stdin: 'true', stdout: 'true', stderr: 'true' }),
    ...command.map((word): [string, string] => ['command', word]),
  ]);
  const path = `/api/v1/namespaces/${cluster.namespace}/pods/${pod}/exec?${query}`;
  const socket = await cluster.openSocket(path, protocol);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const pings = setInterval(() => socket.ping(), pingMs);
  let status: Status | null = null;
  socket.on('message', (frame: Buffer) => {
    const [channel, rest] = [frame[0], frame.subarray(1)];
    if (channel === channels.output) passOn(socket, stdout, rest);
    if (channel === channels.errors) passOn(socket, stderr, rest);
    if (channel === channels.status) status = JSON.parse(rest.toString()) as Status;
  });
  const code = new Promise<number | null>((resolve) => {
    socket.once('close', () => {
      clearInterval(pings);
      stdout.end();
      stderr.end();
      resolve(codeOf(status));
    });
  });
  // A command may end before it has read everything; its code says what came of that.
  void send(socket, input).catch(() => undefined);
  return { stdout, stderr, code, leave: () => socket.terminate() };
}

/** No faster than it is read. */
function passOn(socket: WebSocket, stream: PassThrough, bytes: Buffer): void {
  if (bytes.length === 0 || stream.write(bytes)) return;
  socket.pause();
  stream.once('drain', () => socket.resume());
}

async function send(socket: WebSocket, input: Wanted['input']): Promise<void> {
  const sent = (...bytes: Buffer[]) =>
    new Promise<void>((resolve, reject) =>
      socket.send(Buffer.concat(bytes), (error) => (error ? reject(error) : resolve())),
    );
  for await (const chunk of input) {
    for (let at = 0; at < chunk.length; at += frameBytes) {
      await sent(Buffer.of(channels.input), chunk.subarray(at, at + frameBytes));
    }
  }
  await sent(Buffer.of(channels.end, channels.input));
}

type Status = { status?: string; details?: { causes?: { reason?: string; message?: string }[] } };

function codeOf(status: Status | null): number | null {
  if (status?.status === 'Success') return 0;
  const cause = status?.details?.causes?.find(({ reason }) => reason === 'ExitCode');
  return cause ? Number(cause.message) : null;
}
