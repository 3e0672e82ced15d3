export { createPasses, type Passes, ticketSeconds } from './passes.ts';
export { portAddressOf } from './port-address.ts';
export { createPreviews, enterUrl } from './previews.ts';
