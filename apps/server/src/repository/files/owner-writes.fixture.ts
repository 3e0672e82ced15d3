import { ownerOf } from '../../foundation/nodes/owner.ts';
import type { Node } from '../../foundation/nodes/protocol.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { newPlace, type Place, putFile } from '../../testing/samples/sample-files.ts';
import type { TestService, TestUser } from '../../testing/service/test-service.ts';

const unlimited = '1000000/1000000';
/** Of the other nodes. */
export const settings = { BOTTEGA_RATE_LIMIT_FREE: unlimited, BOTTEGA_RATE_LIMIT_ENTERPRISE: unlimited };

export type Room = Place & { user: TestUser };

/** The same project by way of another node. */
export const through = (room: Room, url: string): Room => ({ ...room, service: { ...room.service, url } });

const isAt = (url: string) => (node: Node | undefined) =>
  node !== undefined && new URL(node.address).port === new URL(url).port;

/** A project whose writes the node at this address makes for all, whichever of the others are there. */
export async function placeOwnedBy(service: TestService, url: string): Promise<Room> {
  const user = await service.createUser();
  const nodes = await waitFor('the node is known', async () => {
    const rows = await service.db.selectFrom('live_nodes').select(['id', 'address']).execute();
    return rows.some(isAt(url)) && rows;
  });
  return waitFor('a project is its own', async () => {
    const place = await newPlace(service, {}, user);
    return isAt(url)(ownerOf(place.projectId, nodes)) && place;
  });
}

export async function countPassedOn(url: string, outcome: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(
    new RegExp(`^bottega_writes_passed_on_total\\{outcome="${outcome}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0,
  );
}

/** Writes by way of both at once, until the one has found out and passes them on. */
export async function share(here: Room, owner: Room): Promise<void> {
  const before = await countPassedOn(here.service.url, 'answer');
  let count = 0;
  await waitFor('writes are passed on', async () => {
    const rooms = [here, owner, here, owner];
    await Promise.all(rooms.map((room) => putFile(room, { path: '/shared.txt', content: `${count++}\n` })));
    return (await countPassedOn(here.service.url, 'answer')) > before;
  });
}
