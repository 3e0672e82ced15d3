import { createHash } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const digestLength = 16;

/**
 * The first label of a branch address. It consists of a readable part of the branch's name and eighty bits of a digest
 * of project and branch, so labels neither collide nor can be forged. No other address has a last part of sixteen
 * characters: a live address has six, and that of a project or deployment has twenty-six.
 */
export function branchLabel(projectId: string, branch: string): string {
  const plain = branch
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40);
  const slug = plain.replaceAll(/^-+|-+$/g, '') || 'branch';
  const digest = createHash('sha256').update(`${projectId}\0${branch}`).digest();
  const characters = [...digest.subarray(0, digestLength)].map((byte) => alphabet.charAt(byte % alphabet.length));
  return `${slug}-${characters.join('')}`;
}

export const isBranchLabel = (label: string): boolean => /^[a-z0-9-]{1,46}-[0-9a-z]{16}$/.test(label);
