import type { ContractTexts } from '../../spec/contract.ts';

/** A contract of another domain, as small as can be: a library sends its loans. */
export const libraryContract: Required<ContractTexts> = {
  contract: `
contract: 1
strict: true
openapi: ./openapi.yaml
requirements: ./requirements.yaml
assumptions: ./assumptions.yaml
method: PUT
mediaType: application/loan+json
retries: 3
event: { at: $request.body#/what~1happened }
id: { at: $request.body#/number, form: '[1-9]\\d{0,8}' }
type: { at: $request.body#/kind }
status: { at: $request.body#/state }
createdAt: { at: $request.body#/at }
related: { at: $request.body#/books, form: json-api }
signature: { headers: { Signature: '{digest}' } }
`,
  openapi: `
openapi: 3.1.0
info: { title: Library, version: '1' }
security:
  - key: []
paths:
  /loans:
    get:
      operationId: listLoans
      x-gap: OPEN-1
      parameters:
        - { name: page, in: query, schema: { type: integer } }
      responses:
        default: { $ref: '#/components/responses/Loans' }
webhooks:
  lent:
    put:
      operationId: onLent
      tags: [Loans]
      x-included:
        - { schema: { $ref: '#/components/schemas/Book' }, least: 1, most: 2 }
      requestBody:
        content:
          application/loan+json:
            schema:
              allOf:
                - $ref: '#/components/schemas/Note'
                - { type: object, properties: { what/happened: { const: lent } } }
      responses:
        '200': { description: Read. }
  returned:
    put:
      operationId: onReturned
      tags: [Loans]
      x-included: []
      requestBody:
        content:
          application/loan+json:
            schema:
              type: object
              required: [number, what/happened]
              properties: { number: { type: integer }, what/happened: { const: returned } }
      responses:
        '200': { description: Read. }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: Key }
  responses:
    Loans:
      description: All loans.
      content:
        application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } }
  schemas:
    Number: { type: integer, minimum: 1 }
    Note:
      type: object
      required: [number, what/happened]
      properties:
        number: { $ref: '#/components/schemas/Number' }
        what/happened: { type: string }
    Book:
      type: object
      properties: { type: { const: book }, title: { type: string } }
`,
  requirements: `
requirements:
  - { id: LIB-1, section: '1', subject: receiver, level: must, statement: A note is read. }
  - { id: LIB-2, section: '2, 3', subject: service, level: may, statement: A note is repeated. }
gaps:
  - { id: OPEN-1, section: '4', statement: How many loans a page holds. }
`,
  assumptions: `
assumptions:
  - { key: pageSize, gap: OPEN-1, statement: Loans on a page., kind: integer, default: '10', example: '20' }
`,
};

/**
 * The library's contract with one place changed in one of its texts.
 *
 * @throws where the place is not there, so that no test passes because nothing was changed
 */
export function broken(text: keyof ContractTexts, place: string, change: string): ContractTexts {
  if (!libraryContract[text].includes(place)) throw new Error(`${text} does not hold "${place}"`);
  return { ...libraryContract, [text]: libraryContract[text].replace(place, change) };
}
