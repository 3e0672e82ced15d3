/** The first version that merges without a work tree. */
const [major, minor] = [2, 38];

export const canMerge = (version: string | null): boolean => {
  const [, one, two] = /^(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  return Number(one) > major || (Number(one) === major && Number(two) >= minor);
};

/** A note for the operator if a newer git is needed. Empty otherwise. */
export const notesOn = (version: string): string[] =>
  canMerge(version) ? [] : [`Git ${version} is older than ${major}.${minor}: branches can be merged only in a clone`];
