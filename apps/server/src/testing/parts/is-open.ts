import { once } from 'node:events';
import { connect } from 'node:net';

/** Whether a server listens there. */
export function isOpen(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}
