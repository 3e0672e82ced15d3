export { createAdministration } from './slice.ts';
