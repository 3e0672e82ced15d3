export { mayBeDomain } from './names.ts';
