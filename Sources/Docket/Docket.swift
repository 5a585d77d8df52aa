// Docket
