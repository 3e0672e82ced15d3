export { enterUrl } from './entering.ts';
export { createPasses, makerOf, type Passes, ticketSeconds } from './passes.ts';
export { portAddressOf } from './port-address.ts';
export { createPreviews } from './previews.ts';
