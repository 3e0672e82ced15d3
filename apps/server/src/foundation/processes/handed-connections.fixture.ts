import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { endWhatItWasHanded } from './handed-connections.ts';

// Two processes answer on one port. One of them is killed again and again while connections are handed to it.
const kills = 2;
const connections = 200;

function fork(): Worker {
  const child = cluster.fork();
  endWhatItWasHanded(child);
  child.on('error', () => undefined);
  return child;
}

async function killUnderLoad(port: number, victim: Worker): Promise<void> {
  const gone = once(victim, 'exit');
  let answered = 0;
  const ask = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.end('GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n');
    socket.once('data', () => ++answered === connections / 10 && victim.process.kill('SIGKILL'));
    return new Promise((resolve) => socket.once('close', resolve));
  };
  await Promise.all(Array.from({ length: connections }, ask));
  await gone;
}

if (cluster.isPrimary) {
  let [first, second] = [fork(), fork()];
  const [[address]] = await Promise.all([once(first, 'listening'), once(second, 'listening')]);
  const { port } = address as AddressInfo;
  for (let count = 0; count < kills; count++) {
    await killUnderLoad(port, first);
    [first, second] = [second, fork()];
    await once(second, 'listening');
  }
  process.stdout.write('every connection has ended\n');
  process.exit(0);
} else {
  const server = createServer((_, response) => void response.end('ok'));
  server.listen(0, '127.0.0.1');
}
