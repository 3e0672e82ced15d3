// Made of the contract by `npm run generate -w @bottega/sdk`; changes belong there. It is as long as the contract.

export const version = '0.2.0';
