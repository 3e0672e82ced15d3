import type { AddressInfo } from 'node:net';
import { tellingOfPort } from '../../cluster/port-in-use.ts';
import { boundConnections, type ListenAt } from '../../cluster/shared-ports.ts';
import type { Ground } from '../../ground.ts';
import type { Front } from '../front/front.ts';
import type { App } from '../request/typed-app.ts';
import type { InternalPort } from './internal-port.ts';

/**
 * Opens the port for clients. If several processes share it, or if it uses TLS, also opens a separate port of this
 * process. Behind a front that terminates TLS, the app itself does not listen.
 */
export async function openPorts(
  app: App,
  internalPort: InternalPort,
  ground: Ground,
  front: Front | null,
): Promise<void> {
  const { config, role, siblings, address } = ground;
  if (role === 'worker' && !siblings.isAlone) {
    // A worker opens no port. The other processes answer the requests to the shared port, and also report the health of
    // this process.
    await app.ready();
    address.isOpenAt(config.port, 0);
    return;
  }
  const at = { port: config.port, host: config.host, reusePort: !siblings.isAlone };
  const port = await (front ? openBehind(front, app, at) : openPlainly(app, at)).catch(tellingOfPort(at.port, 'PORT'));
  address.isOpenAt(port, siblings.isAlone && !front ? port : await internalPort.open(config.host));
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
