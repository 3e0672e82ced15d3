import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { WebSocket } from 'ws';

/** The other end of an exec, in the form of v5.channel.k8s.io: a byte for the channel, then what is in it. */
export function serveExecution(socket: WebSocket, child: ChildProcessWithoutNullStreams): void {
  const send = (channel: number, bytes: Buffer) => socket.send(Buffer.concat([Buffer.of(channel), bytes]));
  const passOn = (channel: number, stream: Readable) => stream.on('data', (bytes: Buffer) => send(channel, bytes));
  passOn(1, child.stdout);
  passOn(2, child.stderr);
  // It may end before it has read everything.
  child.stdin.on('error', () => undefined);
  socket.on('message', (frame: Buffer) => {
    if (frame[0] === 0) child.stdin.write(frame.subarray(1));
    if (frame[0] === 255 && frame[1] === 0) child.stdin.end();
  });
  child.once('close', (code) => {
    const causes = [{ reason: 'ExitCode', message: String(code) }];
    const failure = { status: 'Failure', reason: 'NonZeroExitCode', details: { causes } };
    send(3, Buffer.from(JSON.stringify(code === 0 ? { status: 'Success' } : failure)));
    socket.close();
  });
}
