import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './generated-files.ts';

/** `npm run generate -w @bottega/sdk`: after a change of the contract. A test says when it was forgotten. */
for (const { path, text } of await generatedFiles()) await writeFile(path, text);
