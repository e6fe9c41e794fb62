import { describe, expect, it } from 'vitest';

import { type ContractTexts, ContractError, loadContract } from '../../spec/contract.ts';
import { contractErrorCodes } from '../../spec/contractError.ts';
import { brokenDocuments } from './brokenDocuments.ts';
import { brokenLists } from './brokenLists.ts';
import { libraryContract } from './libraryContract.ts';

const breakages = [...brokenDocuments, ...brokenLists];

describe('a contract that could mislead is refused at load', () => {
  it.each(breakages)('$title', ({ texts, code, names }) => {
    const error = refusal(texts);
    expect(error.code).toBe(code);
    expect(error.message).toContain(names);
  });

  it('every code of the catalogue has been shown', () => {
    // The last one is shown in parseSignature.test.ts.
    const shown = new Set([...breakages.map(({ code }) => code), 'contract/unknown-name', 'contract/signature']);
    expect([...shown].toSorted()).toEqual(Object.keys(contractErrorCodes).toSorted());
  });
});

describe('a name that the contract does not have is refused', () => {
  const contract = loadContract(libraryContract);
  it.each([
    ['schema', () => contract.schema('Loan')],
    ['validator', () => contract.validator('Loan')],
    ['requirement', () => contract.requirement('LIB-3')],
  ])('%s', (_, ask) => {
    expect(ask).toThrow(expect.objectContaining({ code: 'contract/unknown-name' }));
    expect(ask).toThrow(/Note|LIB-1/);
  });
});

function refusal(texts: ContractTexts): ContractError {
  try {
    loadContract(texts);
  } catch (error) {
    if (error instanceof ContractError) return error;
    throw error;
  }
  throw new Error('The contract was loaded.');
}
