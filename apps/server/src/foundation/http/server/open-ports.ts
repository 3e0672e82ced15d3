import type { AddressInfo } from 'node:net';
import { tellingOfPort } from '../../cluster/port-in-use.ts';
import { boundConnections, type ListenAt } from '../../cluster/shared-ports.ts';
import type { Ground } from '../../ground.ts';
import type { Front } from '../front/front.ts';
import type { App } from '../request/typed-app.ts';
import type { OwnDoor } from './own-door.ts';

/**
 * The port that clients know and, where several processes share it or it speaks TLS, one of our own. Behind a front that
 * speaks TLS the app listens nowhere itself.
 */
export async function openPorts(app: App, ownDoor: OwnDoor, ground: Ground, front: Front | null): Promise<void> {
  const { config, role, siblings, address } = ground;
  if (role === 'worker' && !siblings.isAlone) {
    // What came to the shared port would be meant for the others. They tell how this process is when they are asked.
    await app.ready();
    address.isOpenAt(config.port, 0);
    return;
  }
  const at = { port: config.port, host: config.host, reusePort: !siblings.isAlone };
  const port = await (front ? openBehind(front, app, at) : openPlainly(app, at)).catch(tellingOfPort(at.port, 'PORT'));
  address.isOpenAt(port, siblings.isAlone && !front ? port : await ownDoor.open(config.host));
}

async function openPlainly(app: App, at: ListenAt): Promise<number> {
  boundConnections(app.server);
  await app.listen(at);
  return (app.server.address() as AddressInfo).port;
}

async function openBehind(front: Front, app: App, at: ListenAt): Promise<number> {
  await app.ready();
  return front.open(app.server, at);
}
