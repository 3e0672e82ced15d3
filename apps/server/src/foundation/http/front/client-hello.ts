import type { Socket } from 'node:net';

const headerBytes = 5;
const handshakeRecord = 22;
const longestRecord = 2 ** 14;

/**
 * Looks at the first record of a connection, which is the client's hello, and leaves it to be read again. TLS itself asks
 * for the certificate before it tells which protocols the client has offered, and one of them needs another certificate.
 * The caller bounds the time.
 */
export function peekAtHello(socket: Socket, seen: (hello: Buffer) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let wanted = headerBytes;
  const look = () => {
    for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) {
      chunks.push(chunk);
      size += chunk.length;
    }
    if (size < wanted) return;
    const hello = Buffer.concat(chunks);
    wanted = recordBytes(hello);
    if (size < wanted) return;
    socket.off('readable', look);
    socket.unshift(hello);
    seen(hello);
  };
  socket.on('readable', look);
}

/** What is no TLS has no length to wait for, and is refused by whoever reads it next. */
function recordBytes(hello: Buffer): number {
  const length = hello[0] === handshakeRecord ? hello.readUInt16BE(3) : 0;
  return length > longestRecord ? headerBytes : headerBytes + length;
}

export const challengeProtocol = 'acme-tls/1';

/** The protocol's name as a hello has it, behind its length. One who writes it elsewhere gets a refusal a little later. */
const offer = Buffer.from([challengeProtocol.length, ...Buffer.from(challengeProtocol)]);
export const offersChallenge = (hello: Buffer): boolean => hello.includes(offer);
