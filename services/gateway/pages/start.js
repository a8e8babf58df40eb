SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#operations',
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  // The default asks a server on the internet whether the document is valid.
  validatorUrl: null,
  // Somebody to try it as; there in development only.
  ...(globalThis.beforeTrying ? { requestInterceptor: globalThis.beforeTrying } : {}),
});
