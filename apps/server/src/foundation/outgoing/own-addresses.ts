import { networkInterfaces } from 'node:os';
import { addressRule, loopback } from './address-rule.ts';

const isPublic = addressRule([]);
/** The unspecified address also reaches loopback, and a mapped address reaches the address that it contains. */
const isLocal = addressRule([...loopback, '0.0.0.0/8', '::', '::ffff:0:0/96']);

/** Whether a connection to the address ends on this machine. */
export function isOwnAddress(address: string): boolean {
  if (!isPublic(address) && isLocal(address)) return true;
  return Object.values(networkInterfaces()).some((entries) => entries?.some((entry) => entry.address === address));
}
