import type { Socket } from 'node:net';

const headerBytes = 5;
const handshakeRecord = 22;
const longestRecord = 2 ** 14;

/**
 * Reads the first record of a connection, the client's hello, and puts it back. TLS asks for the certificate before it
 * reports which protocols the client offers, and one of them needs another certificate. The caller limits the time.
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

/** The length of the record. Data that is not TLS has no length to wait for, and the next reader refuses it. */
function recordBytes(hello: Buffer): number {
  const length = hello[0] === handshakeRecord ? hello.readUInt16BE(3) : 0;
  return length > longestRecord ? headerBytes : headerBytes + length;
}

export const challengeProtocol = 'acme-tls/1';

/**
 * The protocol's name after its length, as in a client's hello. A client that sends these bytes in another place is
 * refused later.
 */
const offer = Buffer.from([challengeProtocol.length, ...Buffer.from(challengeProtocol)]);
export const offersChallenge = (hello: Buffer): boolean => hello.includes(offer);
