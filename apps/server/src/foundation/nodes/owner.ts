import type { Node } from './protocol.ts';

/**
 * The same node for everybody who knows the same nodes, and where one comes or goes, another one only for what is its own
 * (rendezvous hashing).
 */
export function ownerOf(key: string, nodes: readonly Node[]): Node | undefined {
  let owner: Node | undefined;
  let highest = -1;
  for (const node of nodes) {
    const weight = hash(`${node.id} ${key}`);
    if (weight > highest) [owner, highest] = [node, weight];
  }
  return owner;
}

/** FNV-1a, stirred once more, since texts that differ at their ends only would differ too little. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let place = 0; place < text.length; place++) value = Math.imul(value ^ text.charCodeAt(place), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
