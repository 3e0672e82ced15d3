import type { Socket } from 'node:net';

const headerBytes = 5;
const handshakeRecord = 22;
const longestRecord = 2 ** 14;

/**
 * Reads the first record of a connection, the client's hello, and puts it back. The protocols that the client offers
 * decide which certificate it gets, but Node's TLS asks for the certificate before it reports them. The caller limits
 * the time.
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

/**
 * The length of the record. If the data is not TLS, only the header's length is returned: there is nothing to wait for,
 * and the next reader refuses the data.
 */
function recordBytes(hello: Buffer): number {
  const length = hello[0] === handshakeRecord ? hello.readUInt16BE(3) : 0;
  return length > longestRecord ? headerBytes : headerBytes + length;
}

export const challengeProtocol = 'acme-tls/1';

/**
 * The protocol's name after its length, as in a client's hello. A hello that contains these bytes in another place
 * counts as an offer too, and its client is refused later.
 */
const offer = Buffer.from([challengeProtocol.length, ...Buffer.from(challengeProtocol)]);
export const offersChallenge = (hello: Buffer): boolean => hello.includes(offer);
