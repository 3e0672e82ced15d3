import type { ClientMessage, ServerMessage } from '@bottega/contract';
import type { LivePeer, LiveTexts } from '../../collaboration/texts/index.ts';

export type RecordingTexts = LiveTexts & {
  peers: Set<LivePeer>;
  messages: { peer: LivePeer; message: ClientMessage }[];
  frames: { peer: LivePeer; frame: Uint8Array }[];
  saved: string[];
  gone: string[];
  rightsChanges: string[];
};

/** Live texts without contents: messages are recorded, and sent to the others of the session. */
export function recordingTexts(): RecordingTexts {
  const peers = new Set<LivePeer>();
  const texts: RecordingTexts = {
    peers,
    messages: [],
    frames: [],
    saved: [],
    gone: [],
    rightsChanges: [],
    recover: async () => undefined,
    connect(peer) {
      peers.add(peer);
      return {
        handleMessage(message) {
          texts.messages.push({ peer, message });
          const by = { user_id: peer.user.id, timestamp: new Date().toISOString() };
          const told = { ...message, ...by, ...(message.type === 'cursor_move' && names(peer)) };
          texts.broadcast(peer.sessionId, told as unknown as ServerMessage, peer.id);
        },
        handleBinary(frame) {
          texts.frames.push({ peer, frame });
          for (const other of peers) if (other !== peer && other.sessionId === peer.sessionId) other.sendBinary(frame);
        },
        rightsChanged: () => void texts.rightsChanges.push(peer.user.id),
        async close() {
          peers.delete(peer);
        },
      };
    },
    async save(projectId) {
      texts.saved.push(projectId);
    },
    async release(projectId) {
      texts.gone.push(projectId);
    },
    broadcast(sessionId, message, except) {
      for (const peer of peers) if (peer.sessionId === sessionId && peer.id !== except) peer.send(message);
    },
    drain: async () => undefined,
  };
  return texts;
}

const names = ({ user }: LivePeer) => ({ username: user.username, color: '#123456' });
