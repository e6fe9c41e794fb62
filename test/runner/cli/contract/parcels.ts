/** The OpenAPI document of an invented service, whose notifications are signed as Stripe's are. */
export const parcels = `openapi: 3.1.1
info: { title: Parcel Post, version: '3' }
paths:
  /hooks:
    post: { operationId: createHook, responses: { '201': { description: created } } }
    get: { operationId: listHooks, responses: { '200': { description: all } } }
  /hooks/{id}:
    put: { operationId: replaceHook, responses: { '200': { description: replaced } } }
    delete: { operationId: removeHook, responses: { '204': { description: removed } } }
webhooks:
  parcelSent:
    post:
      parameters:
        - name: Parcel-Signature
          in: header
          description: 't=1700000000,v1=5257a869e7'
          schema: { type: string }
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/ParcelSent' } } } }
      responses: { '200': { description: taken } }
  parcelLost:
    post:
      parameters:
        - { name: Parcel-Signature, in: header, schema: { type: string } }
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/ParcelLost' } } } }
      responses: { '200': { description: taken } }
components:
  schemas:
    Notice:
      type: object
      required: [id, type, created_at]
      properties:
        id: { type: string, pattern: '^ntf_[a-z0-9]{20}$' }
        created_at: { type: string, format: date-time }
    ParcelSent:
      allOf: [{ $ref: '#/components/schemas/Notice' }]
      properties:
        type: { const: parcel.sent }
        weight: { type: integer, minimum: 1 }
    ParcelLost:
      allOf: [{ $ref: '#/components/schemas/Notice' }]
      properties:
        type: { const: parcel.lost }
        reason: { type: [string, 'null'], maxLength: 100 }
`;
