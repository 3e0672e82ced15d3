// Made of the contract by `npm run generate -w @bottega/sdk`; changes belong there.

export const version = '0.2.0';
