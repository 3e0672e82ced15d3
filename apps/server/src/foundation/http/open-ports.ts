import type { AddressInfo } from 'node:net';
import type { Ground } from '../ground.ts';
import type { OwnDoor } from './own-door.ts';
import { tellingOfPort } from './port-in-use.ts';
import type { App } from './typed-app.ts';

/** The port that clients know and, where several processes share it, one of our own. */
export async function openPorts(app: App, ownDoor: OwnDoor, ground: Ground): Promise<void> {
  const { config, role, siblings, address } = ground;
  if (role === 'worker' && !siblings.isAlone) {
    // What came to the shared port would be meant for the others. They tell how this process is when they are asked.
    await app.ready();
    address.isOpenAt(config.port, 0);
    return;
  }
  await app.listen({ port: config.port, host: config.host }).catch(tellingOfPort(config.port, 'PORT'));
  const { port } = app.server.address() as AddressInfo;
  address.isOpenAt(port, siblings.isAlone ? port : await ownDoor.open(config.host));
}
