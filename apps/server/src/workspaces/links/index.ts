export { type Door, openDoor } from './door.ts';
export { linkKeyOf } from './handshake.ts';
export { createLinks, type Links } from './links.ts';
