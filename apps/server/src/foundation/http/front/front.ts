import { constants } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions, type Server as TlsServer } from 'node:tls';
import { type ListenAt, listenAt } from '../../cluster/shared-ports.ts';
import { once } from '../../concurrency/once.ts';
import { plainName } from '../../tls/own-names.ts';
import { challengeProtocol, offersChallenge, peekAtHello } from './client-hello.ts';
import { boundHandshakes, type Handshakes } from './handshakes.ts';
import { idleCloser } from './idle-connections.ts';

/** Certificates for clients, and certificates that prove to an authority that a name points here. */
export type Certificates = {
  forClients: Pick<TlsOptions, 'SNICallback' | 'cert' | 'key'>;
  forChallenges: Pick<TlsOptions, 'SNICallback'> | null;
};

/**
 * Accepts connections for HTTP servers that do not listen themselves. A front terminates TLS and passes the connections
 * on.
 */
export type Front = {
  /** Passes all connections for the hosts that `isIts` accepts to this server, whichever port they use. */
  claim(server: HttpServer, isIts: (name: string) => boolean | Promise<boolean>): void;
  /**
   * Opens a port, and passes all of its connections to this server, except those for claimed hosts. Returns the port.
   */
  open(server: HttpServer, at: ListenAt): Promise<number>;
  /** Accepts no more connections. Resolves when the last one has ended. */
  close(): Promise<void>;
  /** Replaces the certificate for new handshakes. Existing connections do not change. */
  replaceCertificate(pair: { cert: string; key: string }): void;
};

const shared: TlsOptions = {
  minVersion: 'TLSv1.2',
  // No session tickets, because a resumed session does not say which name it is for, and several processes would have
  // to share a ticket key. No renegotiation, because one costs as much as the first handshake and has no time limit of
  // its own.
  secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
};

export function createFront(certificates: Certificates, handshakes: Handshakes = boundHandshakes()): Front {
  const claims: { server: HttpServer; isIts(name: string): boolean | Promise<boolean> }[] = [];
  const servers = new Map<HttpServer, { closeIdle(): void }>();
  const byPort = new Map<number, HttpServer>();
  const listeners: Server[] = [];

  const clients = createTlsServer({ ...shared, ...certificates.forClients, ALPNProtocols: ['http/1.1', 'http/1.0'] });
  clients.on('tlsClientError', (_error, socket) => socket.destroy());
  clients.on('secureConnection', (socket: TLSSocket & { servername?: string | false }) => {
    handshakes.finished(socket);
    // The connection may break while its server is being looked up.
    const broken = () => socket.destroy();
    socket.on('error', broken);
    whose(plainName(socket.servername || ''), socket.localPort)
      .then((server) => {
        socket.off('error', broken);
        if (server && !socket.destroyed) server.emit('connection', socket);
        else socket.destroy();
      })
      .catch(broken);
  });

  async function whose(name: string, port = 0): Promise<HttpServer | undefined> {
    for (const { server, isIts } of claims) if (await isIts(name)) return server;
    return byPort.get(port);
  }
  const challenges = certificates.forChallenges && challengeServer(certificates.forChallenges);

  function accept(socket: Socket): void {
    // An HTTP server that listens itself does the same: small parts of a response are sent without delay.
    socket.setNoDelay();
    handshakes.begin(socket);
    if (!challenges) clients.emit('connection', socket);
    else peekAtHello(socket, (hello) => (offersChallenge(hello) ? challenges : clients).emit('connection', socket));
  }

  function adopt(server: HttpServer): void {
    // Node enforces the time limits and idle timeouts of a server only once it listens, which this server never does.
    if (servers.has(server)) return;
    server.emit('listening');
    servers.set(server, { closeIdle: idleCloser(server) });
  }

  async function closeAll(): Promise<void> {
    const ended = listeners.map((listener) => new Promise((resolve) => listener.close(resolve)));
    handshakes.endAll();
    const idle = setInterval(() => {
      for (const { closeIdle } of servers.values()) closeIdle();
    }, 100);
    await Promise.all(ended);
    clearInterval(idle);
    for (const server of servers.keys()) server.close();
  }

  return {
    claim(server, isIts) {
      adopt(server);
      claims.push({ server, isIts });
    },
    async open(server, at) {
      adopt(server);
      const listener = createServer(accept);
      const port = await listenAt(listener, at);
      listeners.push(listener);
      byPort.set(port, server);
      return port;
    },
    close: once(closeAll),
    replaceCertificate: (pair) => clients.setSecureContext({ ...shared, ...pair }),
  };
}

/**
 * A server for an authority that checks a name. Such a client offers only the challenge protocol, and only wants to see
 * the certificate.
 */
function challengeServer(options: TlsOptions): TlsServer {
  const server = createTlsServer({ ...shared, ...options, ALPNProtocols: [challengeProtocol] });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return server.on('secureConnection', (socket) => socket.on('error', () => undefined).end());
}
