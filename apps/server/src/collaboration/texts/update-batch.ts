/**
 * Packs updates into one buffer, each after its length. Merging them, which Yjs supports, would cost more than
 * everything else.
 */
export function packUpdates(updates: readonly Uint8Array[]): Buffer {
  const parts = updates.flatMap((update) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(update.length);
    return [length, update];
  });
  return Buffer.concat(parts);
}

export function unpackUpdates(batch: Buffer): Buffer[] {
  const updates: Buffer[] = [];
  for (let at = 0; at < batch.length; ) {
    const end = at + 4 + batch.readUInt32BE(at);
    updates.push(batch.subarray(at + 4, end));
    at = end;
  }
  return updates;
}
