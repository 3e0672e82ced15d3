import type { Channel } from '../agent/channels.mjs';
import { createParcelReader } from '../agent/parcels.mjs';
import { LayerProblem } from './layer-store.ts';

const largestPiece = 2 * 2 ** 20;
/** The most small pieces in an archive. Every piece costs a row, so there must not be many small ones. */
const smallPieces = 1_000;
const usualPiece = 16_384;

/**
 * The pieces of an archive that the agent sends. The agent is not trusted: the number and the size of the pieces are
 * limited here, and the service never looks into them.
 */
export async function* arrivingPieces(channel: Channel, maxBytes: number): AsyncGenerator<Buffer> {
  let arrived: Buffer[] = [];
  let [pieces, bytes] = [0, 0];
  const read = createParcelReader(largestPiece, (_head, body) => {
    pieces += 1;
    bytes += body.length;
    if (bytes > maxBytes || pieces > smallPieces + bytes / usualPiece) {
      throw new LayerProblem('they have more bytes than a workspace may have');
    }
    arrived.push(body);
  });
  for await (const chunk of channel) {
    read(chunk as Buffer);
    const ready = arrived;
    arrived = [];
    yield* ready;
  }
}
