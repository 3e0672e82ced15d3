import type { Channel } from '../agent/channels.mjs';
import { createGathered } from '../agent/gathered.mjs';

/**
 * A part of a command's output. `position` is the number of bytes of output from the command's start to the end of this
 * part.
 */
export type Piece = { position: number; stream: 'stdout' | 'stderr'; bytes: Buffer };

const headBytes = 13;
/** The agent passes on what it reads from a pipe at once, and a pipe holds less than this. */
const longestPiece = 2 ** 20;

/**
 * The pieces of output in a stream of the agent, which may send anything. Ends at the first piece that is not valid.
 */
export async function* piecesOf(channel: Channel): AsyncGenerator<Piece> {
  channel.end();
  const gathered = createGathered();
  try {
    for await (const chunk of channel) {
      gathered.add(chunk as Buffer);
      yield* takeWhole(gathered);
    }
  } catch {
    // The result of the stream says what happened.
    channel.destroy();
  }
}

/**
 * Takes the complete pieces. Pieces that follow each other in the same stream are joined, because a program may write
 * single characters. Throws if the head of a piece is not valid.
 */
function takeWhole(gathered: ReturnType<typeof createGathered>): Piece[] {
  const all = gathered.bytes();
  const found: (Omit<Piece, 'bytes'> & { parts: Buffer[] })[] = [];
  let at = 0;
  while (all.length - at >= headBytes) {
    const length = all.readUInt32BE(at + 9);
    if (length === 0 || length > longestPiece) throw new Error('a piece of output is empty or too long');
    const [from, end] = [at + headBytes, at + headBytes + length];
    if (all.length < end) break;
    const begin = Number(all.readBigUInt64BE(at));
    const position = begin + length;
    if (!Number.isSafeInteger(position)) throw new Error('a piece of output is at no place');
    const stream = all.readUInt8(at + 8) === 1 ? 'stdout' : 'stderr';
    const last = found.at(-1);
    if (last?.stream === stream && last.position === begin) {
      last.parts.push(all.subarray(from, end));
      last.position = position;
    } else found.push({ position, stream, parts: [all.subarray(from, end)] });
    at = end;
  }
  const pieces = found.map(({ position, stream, parts }) => ({ position, stream, bytes: Buffer.concat(parts) }));
  gathered.drop(at);
  return pieces;
}
