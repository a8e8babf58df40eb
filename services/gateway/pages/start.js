SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#operations',
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  // By default the page sends the document to a public validator.
  validatorUrl: null,
  // Adds a demo caller's token; present in development only.
  ...(globalThis.beforeTrying ? { requestInterceptor: globalThis.beforeTrying } : {}),
});
