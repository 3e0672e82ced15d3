import type { Db } from '../../foundation/db/index.ts';
import type { Principal } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import { findOwnerNode, listNodes, type Node } from './owners.sql.ts';
import { type Peers, peerHeader } from './peer-requests.ts';

export type DiskChange = { projectId: string; branch: string; path: string; base: string; content: string };

/** Passes a change that a program made to the node that has the live text. Throws if it was not applied. */
export type SendDiskChange = (change: DiskChange, principal: Principal) => Promise<void>;

const mostMs = 10_000;

export function createDiskChanges({
  db,
  peers,
  leaseSeconds,
}: {
  db: Db;
  peers: Peers;
  leaseSeconds: number;
}): SendDiskChange {
  return async ({ projectId, ...change }, principal) => {
    const node: Node | undefined = (await findOwnerNode(db, projectId)) ?? (await listNodes(db, leaseSeconds))[0];
    if (!node) throw new Error('no node has live texts');
    const url = `/v1/projects/${projectId}/live-texts`;
    const claim = { principal, address: '127.0.0.1', requestId: newId('req') };
    const answer = await fetch(new URL(url, node.address), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [peerHeader]: peers.headerAs(claim, node.id, { method: 'POST', url }),
      },
      body: JSON.stringify(change),
      signal: AbortSignal.timeout(mostMs),
    });
    if (!answer.ok)
      throw new Error(`the node with a live text responded with ${answer.status}: ${await answer.text()}`);
    await answer.body?.cancel();
  };
}
