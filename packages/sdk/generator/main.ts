import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './generated-files.ts';

/** `npm run generate -w @bottega/sdk`: run it after a change of the contract. A test fails if it was forgotten. */
for (const { path, text } of await generatedFiles()) await writeFile(path, text);
