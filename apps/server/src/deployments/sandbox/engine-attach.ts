import { request as requestPlainly } from 'node:http';
import { type RequestOptions, request as requestByTls } from 'node:https';
import { Duplex, PassThrough, Readable } from 'node:stream';
import type Docker from 'dockerode';
import type { Running } from './driver.ts';

type Attached = Pick<Running, 'stdout' | 'stderr'> & { channel: Duplex; drained: Promise<void> };

/** A frame of the engine begins with the number of its stream, three zeros and the length of what follows. */
const headBytes = 8;
const ofStdout = 1;

/** Connects to a container. The channel is its standard input and output. */
export async function attachChannel(docker: Docker, id: string): Promise<Attached> {
  // Without keys for detaching, because Podman would look for them in all input.
  const query = 'stream=1&stdin=1&stdout=1&stderr=1&detachKeys=';
  const connection = await connectTo(docker, `/containers/${id}/attach?${query}`);
  const stderr = new PassThrough();
  const channel = new Duplex({
    read: () => void connection.resume(),
    write: (chunk, _encoding, done) => void connection.write(chunk, done),
    final: (done) => void connection.end(done),
    destroy(error, done) {
      connection.destroy();
      done(error);
    },
  });
  const split = createSplitter((stream, bytes) => {
    if (stream !== ofStdout) stderr.write(bytes);
    else if (!channel.push(bytes)) connection.pause();
  });
  connection.on('data', split);
  // Errors are ignored, because the end of the connection follows.
  connection.on('error', () => undefined);
  const drained = new Promise<void>((resolve) => {
    connection.on('close', () => {
      stderr.end();
      channel.destroy();
      resolve();
    });
  });
  return { channel, stdout: Readable.from([]), stderr, drained };
}

/** Calls back with the bytes of each frame, in parts as they arrive. */
export function createSplitter(onBytes: (stream: number, bytes: Buffer) => void): (chunk: Buffer) => void {
  let head = Buffer.alloc(0);
  let left = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + (left > 0 ? left : headBytes - head.length));
      at += part.length;
      if (left > 0) {
        left -= part.length;
        onBytes(head.readUInt8(0), part);
      } else {
        head = Buffer.concat([head, part]);
        if (head.length < headBytes) return;
        left = head.readUInt32BE(4);
      }
      if (left === 0) head = Buffer.alloc(0);
    }
  };
}

/** The address at which the client reaches the engine. */
type Address = Pick<RequestOptions, 'socketPath' | 'host' | 'port' | 'ca' | 'cert' | 'key'> & { protocol: string };

/**
 * Sends a request that becomes a connection. The engine's client library could also send it, but would send its options
 * as a body, which Podman takes for the first input of the container.
 */
function connectTo(docker: Docker, path: string): Promise<Duplex> {
  const { protocol, socketPath, host, port, ca, cert, key } = docker.modem as unknown as Address;
  const place = socketPath ? { socketPath } : { host, port, ca, cert, key };
  const headers = { connection: 'Upgrade', upgrade: 'tcp' };
  const options = { ...place, path, method: 'POST', headers, agent: false };
  return new Promise((resolve, reject) => {
    const asked = protocol === 'https' ? requestByTls(options) : requestPlainly(options);
    asked.on('error', reject);
    asked.on('response', (answer) => {
      answer.resume();
      reject(new Error(`the engine answered ${answer.statusCode} instead of a connection`));
    });
    asked.on('upgrade', (_answer, socket, first) => {
      if (first.length > 0) socket.unshift(first);
      resolve(socket);
    });
    asked.end();
  });
}
