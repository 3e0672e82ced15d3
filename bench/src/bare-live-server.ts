import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hocuspocus } from '@hocuspocus/server';
import { WebSocket, WebSocketServer } from 'ws';

// The least work for a room: parses messages, adds the sender, and sends them to all others. At /yjs, unmodified
// Hocuspocus without storage.
const room = new Set<WebSocket>();
const hocuspocus = new Hocuspocus({ quiet: true });
const sockets = new WebSocketServer({ noServer: true });
const server = createServer();

server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (ws) => {
    if (request.url === '/yjs') joinDocument(ws);
    else joinRoom(ws);
  });
});

function joinDocument(ws: WebSocket): void {
  const connection = hocuspocus.handleConnection(ws, new Request('http://localhost'));
  ws.on('message', (data: Buffer) => connection.handleMessage(new Uint8Array(data)));
  ws.on('close', () => connection.handleClose());
}

function joinRoom(ws: WebSocket): void {
  room.add(ws);
  ws.on('close', () => room.delete(ws));
  ws.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString());
    const text = JSON.stringify({ ...message, user_id: 'usr_bare', timestamp: new Date().toISOString() });
    for (const other of room) if (other !== ws && other.readyState === WebSocket.OPEN) other.send(text);
    ws.send(JSON.stringify({ type: 'ack', seq: message.seq, durable: false }));
  });
}

server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
